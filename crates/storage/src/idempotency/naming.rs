//! The answers that name a contact, which an erasure deletes.
//!
//! A company may have kept gigabytes of answers. They are searched before the transaction of the erasure, in parts, so that it
//! holds no lock meanwhile; the transaction itself searches only those that were kept since.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};
use crate::units::Reading;

/// How many answers a part has. Most have some kilobytes, and the sum of the large ones is bounded.
const PART: i64 = 2000;

/// Answers that were kept less than this before the search may have been committed after it. The clocks of instances differ
/// by less.
const OVERLAP_SECONDS: i64 = 120;

/// The texts that name a contact in an answer.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) id: ContactId,
    pub(crate) email: String,
}

/// The answers that named a contact at some moment.
pub(crate) struct Naming {
    names: Names,
    answers: Vec<AnswerRow>,
    /// Later ones were not searched.
    until: Timestamp,
}

#[derive(QueryableByName)]
struct AnswerRow {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = Bool)]
    is_naming: bool,
}

impl Naming {
    /// The contact.
    pub(crate) const fn contact(&self) -> ContactId {
        self.names.id
    }
}

/// Searches the answers of a company.
pub(crate) async fn naming(
    storage: &Storage,
    company: CompanyId,
    names: Names,
    now: Timestamp,
) -> Result<Naming, StoreError> {
    let mut naming =
        Naming { names, answers: Vec::new(), until: now.plus_seconds(-OVERLAP_SECONDS) };
    let mut after = Some((IdValue(Uuid::nil()), String::new()));
    while let Some((user, key)) = after {
        let names = naming.names.clone();
        let unit = move |connection: &mut Connection| {
            Ok(connection.rows::<AnswerRow>(part(connection, company, &names, user, &key))?)
        };
        let rows = storage.read(Reading::OrderedMany(company), unit).await?;
        let is_full = i64::try_from(rows.len()).is_ok_and(|number| number >= PART);
        after = rows.last().filter(|_| is_full).map(|last| (last.user_id, last.key.clone()));
        naming.answers.extend(rows.into_iter().filter(|row| row.is_naming));
    }
    Ok(naming)
}

/// The answers after one of them, with whether they name the contact.
fn part(
    connection: &Connection,
    company: CompanyId,
    names: &Names,
    user: IdValue,
    key: &str,
) -> Statement {
    let part = sql!(
        "SELECT user_id, key, {} AS is_naming FROM (SELECT user_id, key, sealed_id, answer FROM kept_answers \
         WHERE company_id = ? AND (user_id, key) > (?, ?) ORDER BY user_id, key LIMIT ?) AS part ORDER BY user_id, key",
        names_any(connection, names),
    );
    part.bind(company).bind(user).bind(key).bind(PART)
}

/// That an answer has one of the names, in capital or small letters of ASCII: it repeats an address as its client spelled it.
/// Sealed ones name no contact.
fn names_any(connection: &Connection, names: &Names) -> Statement {
    let has = match connection {
        Connection::Postgres(_) => {
            "position(lower(encode(?, 'escape') COLLATE \"C\") IN lower(encode(answer, 'escape') COLLATE \"C\")) > 0"
        }
        Connection::Sqlite(_) => "instr(lower(CAST(answer AS TEXT)), lower(CAST(? AS TEXT))) > 0",
    };
    let any = sql!("(sealed_id IS NULL AND ({} OR {}))", has, has);
    any.bind(names.id.to_string().as_bytes()).bind(names.email.as_bytes())
}

/// Deletes the answers of a company that name a contact.
pub(crate) fn forget_naming(
    connection: &mut Connection,
    company: CompanyId,
    names: &Names,
    found: &Naming,
) -> Result<(), Failure> {
    // A contact that has another email since the search is searched for once more.
    let is_known = found.names == *names;
    let since = is_known.then(|| statement(" AND kept_at >= ?").bind(found.until));
    let delete = sql!(
        "DELETE FROM kept_answers WHERE company_id = ?{} AND {}",
        since,
        names_any(connection, names),
    );
    connection.execute(delete.bind(company))?;
    if found.answers.is_empty() {
        return Ok(());
    }
    let source = Source::of(&found.answers)
        .ids("user_id", |answer| answer.user_id.0)
        .texts("key", |answer| answer.key.clone());
    let delete = sql!(
        "DELETE FROM kept_answers WHERE company_id = ? AND (user_id, key) IN (SELECT user_id, key FROM {})",
        source.table(connection)
    );
    connection.execute(delete.bind(company))?;
    Ok(())
}
