//! The answers that name a contact, which an erasure deletes.
//!
//! A company may have kept gigabytes of answers. They are searched before the transaction of the erasure, in parts, so that it
//! holds no lock meanwhile; the transaction itself searches only those that were committed since.

use std::collections::HashSet;
use std::fmt::Write as _;

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Binary, Bool, Text};
use uuid::Uuid;

use contact_hub_domain::email::Email;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::addresses::has_address;
use crate::Storage;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};
use crate::units::Reading;

/// How many answers a part has. Most have some kilobytes, and the sum of the large ones is bounded.
const PART: i64 = 2000;

/// Answers that were kept less than this before the search may have been committed after it. The clocks of instances differ
/// by less.
const OVERLAP_SECONDS: i64 = 120;

/// How many bytes of answers are in memory at once, and at least one answer.
const READ: i64 = 4 << 20;

/// Whether an answer has a text in small letters of ASCII.
const POSTGRES_HAS: &str = "position(? IN lower(encode(answer, 'escape') COLLATE \"C\")) > 0";
const SQLITE_HAS: &str = "instr(lower(CAST(answer AS TEXT)), ?) > 0";

/// Whether an answer has a character that is not ASCII: `encode` writes its bytes as octal numbers.
const POSTGRES_IS_INTERNATIONAL: &str = r"encode(answer, 'escape') ~ '\\[23][0-7][0-7]'";
const SQLITE_IS_INTERNATIONAL: &str =
    "CAST(answer AS TEXT) GLOB '*[^' || char(1) || '-' || char(127) || ']*'";

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
struct FoundRow {
    #[diesel(embed)]
    answer: AnswerRow,
    /// Whether it has the contact's id.
    #[diesel(sql_type = Bool)]
    has_id: bool,
    /// Its bytes if it may have the contact's address, otherwise zero.
    #[diesel(sql_type = BigInt)]
    to_read: i64,
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(embed)]
    answer: AnswerRow,
    #[diesel(sql_type = Binary)]
    text: Vec<u8>,
}

/// A searched answer, and whether it names the contact.
type Searched = (AnswerRow, bool);

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
    fn key(&self) -> Key {
        (self.user_id.0, self.key.clone())
    }

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
            let rows = connection.rows(part(connection, company, &names, &place))?;
            searched(connection, company, &names, rows)
        };
        let rows: Vec<Searched> = storage.read(Reading::OrderedMany(company), unit).await?;
        let is_full = i64::try_from(rows.len()).is_ok_and(|number| number >= PART);
        after = rows.last().filter(|_| is_full).map(|(last, _)| last.key());
        for (answer, is_naming) in rows {
            let (key, kept_at) = answer.into_parts();
            if is_naming {
                naming.answers.push(key);
            } else if kept_at >= since {
                naming.searched.insert((key, kept_at));
            }
        }
    }
    Ok(naming)
}

/// The answers after one of them.
fn part(
    connection: &Connection,
    company: CompanyId,
    names: &Names,
    (user, key): &Key,
) -> Statement {
    let part = sql!(
        "SELECT {} FROM (SELECT user_id, key, kept_at, sealed_id, answer FROM kept_answers \
         WHERE company_id = ? AND (user_id, key) > (?, ?) ORDER BY user_id, key LIMIT ?) AS part ORDER BY user_id, key",
        found(connection, names),
    );
    part.bind(company).bind(IdValue(*user)).bind(key.as_str()).bind(PART)
}

/// The columns of a [`FoundRow`]. An answer repeats an address as its client spelled it: in ASCII it differs at most in
/// capital letters, and otherwise it has `xn--` or a character that is not ASCII. Sealed answers name no contact.
fn found(connection: &Connection, names: &Names) -> Statement {
    let (has, is_international, size): (fn(&str) -> Statement, _, _) = match connection {
        Connection::Postgres(_) => (
            |text| statement(POSTGRES_HAS).bind(escaped(text)),
            POSTGRES_IS_INTERNATIONAL,
            "CAST(octet_length(answer) AS bigint)",
        ),
        Connection::Sqlite(_) => (
            |text| statement(SQLITE_HAS).bind(text.to_ascii_lowercase()),
            SQLITE_IS_INTERNATIONAL,
            "length(answer)",
        ),
    };
    sql!(
        "user_id, key, kept_at, (sealed_id IS NULL AND {}) AS has_id, \
         CASE WHEN sealed_id IS NULL AND {} AND ({} OR {} OR {}) THEN {} ELSE 0 END AS to_read",
        has(&names.id.to_string()),
        has("@"),
        has(&names.email),
        has("xn--"),
        is_international,
        size,
    )
}

/// The text of `encode(bytes, 'escape')` on PostgreSQL, in small letters of ASCII.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.to_ascii_lowercase().bytes() {
        match byte {
            b'\\' => escaped.push_str(r"\\"),
            0 | 0x80.. => write!(escaped, r"\{byte:03o}").unwrap_or_default(),
            _ => escaped.push(byte.into()),
        }
    }
    escaped
}

/// Reads the answers that may have the address, few at once.
fn searched(
    connection: &mut Connection,
    company: CompanyId,
    names: &Names,
    rows: Vec<FoundRow>,
) -> Result<Vec<Searched>, Failure> {
    let email = Email::from_stored(names.email.clone());
    let mut naming = HashSet::new();
    let (mut keys, mut size) = (Vec::new(), 0);
    let mut unread = rows.iter().filter(|row| !row.has_id && row.to_read > 0).peekable();
    while let Some(row) = unread.next() {
        keys.push(row.answer.key());
        size += row.to_read;
        if unread.peek().is_some_and(|next| size + next.to_read <= READ) {
            continue;
        }
        let select = sql!(
            "SELECT user_id, key, kept_at, answer AS text FROM kept_answers WHERE {}",
            these(connection, company, &keys),
        );
        let texts: Vec<TextRow> = connection.rows(select)?;
        let has_address =
            |row: &TextRow| has_address(&String::from_utf8_lossy(&row.text), email.identity());
        naming.extend(texts.into_iter().filter(has_address).map(|row| row.answer.key()));
        keys.clear();
        size = 0;
    }
    let with_result = |row: FoundRow| {
        let is_naming = row.has_id || naming.contains(&row.answer.key());
        (row.answer, is_naming)
    };
    Ok(rows.into_iter().map(with_result).collect())
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
        "SELECT {} FROM kept_answers WHERE {}",
        found(connection, names),
        these(connection, company, answers),
    );
    let rows = connection.rows(select)?;
    let searched = searched(connection, company, names, rows)?;
    Ok(searched.into_iter().filter_map(|(row, is_naming)| is_naming.then(|| row.key())).collect())
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
