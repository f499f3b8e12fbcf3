//! The answers that name a contact, which an erasure deletes.
//!
//! A company may have kept gigabytes of answers. They are searched before the transaction of the erasure, in parts, so that it
//! holds no lock meanwhile; the transaction itself searches only those that were committed since.

use std::collections::HashSet;

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::address_patterns::{encoded, globs, regular_expression};
use crate::Storage;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source};
use crate::failure::Failure;
use crate::statement::{Statement, joined, sql, statement};
use crate::units::Reading;

/// How many answers a part has. Most have some kilobytes, and the sum of the large ones is bounded.
const PART: i64 = 2000;

/// Answers that were kept less than this before the search may have been committed after it. The clocks of instances differ
/// by less.
const OVERLAP_SECONDS: i64 = 120;

/// Whether an answer has a text, and a pattern, in small letters of ASCII.
const POSTGRES_HAS: &str = "position(? IN lower(encode(answer, 'escape') COLLATE \"C\")) > 0";
const POSTGRES_MATCHES: &str = "lower(encode(answer, 'escape') COLLATE \"C\") ~ ?";
const SQLITE_HAS: &str = "instr(lower(CAST(answer AS TEXT)), ?) > 0";
const SQLITE_MATCHES: &str = "lower(CAST(answer AS TEXT)) GLOB ?";

/// The texts that name a contact in an answer.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) id: ContactId,
    pub(crate) email: String,
}

/// The answers that named a contact at some moment.
pub(crate) struct Naming {
    names: Names,
    answers: Vec<Key>,
    /// Those that were kept from this moment on may not have been searched.
    since: Timestamp,
    /// Of these, those that were.
    searched: HashSet<(Key, Timestamp)>,
}

/// The user and the key of a call.
type Key = (Uuid, String);

#[derive(QueryableByName)]
struct SearchedRow {
    #[diesel(embed)]
    answer: AnswerRow,
    #[diesel(sql_type = Bool)]
    is_naming: bool,
}

#[derive(QueryableByName)]
struct AnswerRow {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = Moment)]
    kept_at: MomentValue,
}

impl AnswerRow {
    fn into_parts(self) -> (Key, Timestamp) {
        ((self.user_id.0, self.key), self.kept_at.0)
    }
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
    let since = now.plus_seconds(-OVERLAP_SECONDS);
    let mut naming = Naming { names, answers: Vec::new(), since, searched: HashSet::new() };
    let mut after = Some((Uuid::nil(), String::new()));
    while let Some(place) = after {
        let names = naming.names.clone();
        let unit = move |connection: &mut Connection| {
            Ok(connection.rows(part(connection, company, &names, &place))?)
        };
        let rows: Vec<SearchedRow> = storage.read(Reading::OrderedMany(company), unit).await?;
        let is_full = i64::try_from(rows.len()).is_ok_and(|number| number >= PART);
        let last = rows.last().filter(|_| is_full).map(|row| &row.answer);
        after = last.map(|last| (last.user_id.0, last.key.clone()));
        for row in rows {
            let (key, kept_at) = row.answer.into_parts();
            if row.is_naming {
                naming.answers.push(key);
            } else if kept_at >= since {
                naming.searched.insert((key, kept_at));
            }
        }
    }
    Ok(naming)
}

/// The answers after one of them, with whether they name the contact.
fn part(
    connection: &Connection,
    company: CompanyId,
    names: &Names,
    (user, key): &Key,
) -> Statement {
    let part = sql!(
        "SELECT user_id, key, kept_at, {} AS is_naming FROM (SELECT user_id, key, kept_at, sealed_id, answer FROM kept_answers \
         WHERE company_id = ? AND (user_id, key) > (?, ?) ORDER BY user_id, key LIMIT ?) AS part ORDER BY user_id, key",
        names_any(connection, names),
    );
    part.bind(company).bind(IdValue(*user)).bind(key.as_str()).bind(PART)
}

/// That an answer has one of the names, in capital or small letters of ASCII: it repeats an address as its client spelled it.
/// Sealed ones name no contact.
fn names_any(connection: &Connection, names: &Names) -> Statement {
    let id = names.id.to_string();
    let (has_id, has_email, has_whole_email) = match connection {
        Connection::Postgres(_) => {
            let has = |text: &str| statement(POSTGRES_HAS).bind(encoded(text));
            let whole = statement(POSTGRES_MATCHES).bind(regular_expression(&names.email));
            (has(&id), has(&names.email), whole)
        }
        Connection::Sqlite(_) => {
            let has = |text: &str| statement(SQLITE_HAS).bind(text.to_ascii_lowercase());
            let globs =
                globs(&names.email).into_iter().map(|glob| statement(SQLITE_MATCHES).bind(glob));
            (has(&id), has(&names.email), joined(globs, " OR "))
        }
    };
    sql!(
        "(sealed_id IS NULL AND ({} OR CASE WHEN {} THEN {} ELSE false END))",
        has_id,
        has_email,
        has_whole_email,
    )
}

/// Deletes the answers of a company that name a contact.
pub(crate) fn forget_naming(
    connection: &mut Connection,
    company: CompanyId,
    names: &Names,
    found: &Naming,
) -> Result<(), Failure> {
    // The contact may have got another email since the search.
    let since = (found.names == *names).then_some(found.since);
    let later = sql!(
        "SELECT user_id, key, kept_at FROM kept_answers WHERE company_id = ?{}",
        since.map(|since| statement(" AND kept_at >= ?").bind(since)),
    );
    let later: Vec<AnswerRow> = connection.rows(later.bind(company))?;
    let later = later.into_iter().map(AnswerRow::into_parts);
    let unsearched = later.filter(|answer| since.is_none() || !found.searched.contains(answer));
    let unsearched: Vec<Key> = unsearched.map(|(key, _)| key).collect();
    let mut naming = those_that_name(connection, company, names, &unsearched)?;
    naming.extend_from_slice(&found.answers);
    lock(connection, company, &naming)?;
    delete(connection, company, &naming)
}

/// Those of these answers that name the contact.
fn those_that_name(
    connection: &mut Connection,
    company: CompanyId,
    names: &Names,
    answers: &[Key],
) -> Result<Vec<Key>, Failure> {
    if answers.is_empty() {
        return Ok(Vec::new());
    }
    let select = sql!(
        "SELECT user_id, key, kept_at FROM kept_answers WHERE {} AND {}",
        these(connection, company, answers),
        names_any(connection, names),
    );
    let rows: Vec<AnswerRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(|row| row.into_parts().0).collect())
}

/// Locks these answers in the order of their keys, so that two erasures never deadlock.
fn lock(connection: &mut Connection, company: CompanyId, answers: &[Key]) -> Result<(), Failure> {
    if answers.is_empty() || matches!(connection, Connection::Sqlite(_)) {
        return Ok(());
    }
    let select = sql!(
        "SELECT user_id, key, kept_at FROM kept_answers WHERE {} ORDER BY user_id, key{}",
        these(connection, company, answers),
        Lock::ForUpdate.on(connection),
    );
    let _locked: Vec<AnswerRow> = connection.rows(select)?;
    Ok(())
}

fn delete(connection: &mut Connection, company: CompanyId, answers: &[Key]) -> Result<(), Failure> {
    if answers.is_empty() {
        return Ok(());
    }
    let these = these(connection, company, answers);
    connection.execute(sql!("DELETE FROM kept_answers WHERE {}", these))?;
    Ok(())
}

/// The condition on these answers.
fn these(connection: &Connection, company: CompanyId, answers: &[Key]) -> Statement {
    let source =
        Source::of(answers).ids("user_id", |(user, _)| *user).texts("key", |(_, key)| key.clone());
    let these = sql!(
        "company_id = ? AND (user_id, key) IN (SELECT user_id, key FROM {})",
        source.table(connection)
    );
    these.bind(company)
}
