//! The answers that name contacts, which an erasure deletes.
//!
//! A company may have kept gigabytes of answers. They are searched before the transactions of the erasures, in parts, once for
//! several contacts, so that no lock is held meanwhile. The transaction itself searches only those that were committed since.

use std::collections::{HashMap, HashSet};

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Binary, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::mentions::{Names, Wanted};
use crate::Storage;
use crate::columns::{Id, IdRow, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};
use crate::units::Reading;

/// How many answers a part has at most.
const PART: usize = 2000;

/// How many bytes the answers of a part have together, and at least one answer is in it.
const PART_BYTES: i64 = 64 << 20;

/// How many bytes of answers are in memory at once; at least one answer is.
const READ: i64 = 4 << 20;

/// Answers that were kept less than this before the search may have been committed after it. The clocks of instances differ
/// by less.
const OVERLAP_SECONDS: i64 = 120;

/// The answers that named contacts at some moment.
pub(crate) struct Naming {
    names: HashMap<ContactId, Names>,
    answers: HashMap<ContactId, Vec<Key>>,
    /// Those that were kept from this moment on may not have been searched.
    since: Timestamp,
    /// Of these, those that were.
    searched: HashSet<(Key, Timestamp)>,
}

/// The user and the key of a call.
type Key = (Uuid, String);

#[derive(QueryableByName)]
struct AnswerRow {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = Moment)]
    kept_at: MomentValue,
    #[diesel(sql_type = BigInt)]
    size: i64,
}

impl AnswerRow {
    fn key(&self) -> Key {
        (self.user_id.0, self.key.clone())
    }
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = Binary)]
    answer: Vec<u8>,
}

/// Searches the answers of a company.
pub(crate) async fn naming(
    storage: &Storage,
    company: CompanyId,
    names: Vec<Names>,
    now: Timestamp,
) -> Result<Naming, StoreError> {
    let mut naming = Naming {
        names: names.into_iter().map(|names| (names.id, names)).collect(),
        answers: HashMap::new(),
        since: now.plus_seconds(-OVERLAP_SECONDS),
        searched: HashSet::new(),
    };
    let mut after = Some((Uuid::nil(), String::new()));
    while let Some(place) = after {
        let wanted = Wanted::of(naming.names.values());
        let unit = move |connection: &mut Connection| {
            let mut rows: Vec<AnswerRow> = connection.rows(part(connection, company, &place))?;
            let is_full = rows.len() >= PART;
            let is_last = !shorten(&mut rows) && !is_full;
            let found = search(connection, company, &wanted, &rows)?;
            Ok((rows, found, is_last))
        };
        let (rows, found, is_last) = storage.read(Reading::OrderedMany(company), unit).await?;
        after = rows.last().filter(|_| !is_last).map(AnswerRow::key);
        for (contact, key) in found {
            naming.answers.entry(contact).or_default().push(key);
        }
        let late = rows.into_iter().filter(|row| row.kept_at.0 >= naming.since);
        naming.searched.extend(late.map(|row| (row.key(), row.kept_at.0)));
    }
    Ok(naming)
}

/// The answers after one of them. Nothing is found in those that are sealed, which are small and name no contact.
fn part(connection: &Connection, company: CompanyId, (user, key): &Key) -> Statement {
    let part = sql!(
        "SELECT user_id, key, kept_at, {} AS size FROM kept_answers \
         WHERE company_id = ? AND (user_id, key) > (?, ?) ORDER BY user_id, key LIMIT ?",
        size(connection),
    );
    let limit = i64::try_from(PART).unwrap_or(i64::MAX);
    part.bind(company).bind(IdValue(*user)).bind(key.as_str()).bind(limit)
}

/// Leaves out the answers for which a part has no room; returns whether there are any.
fn shorten(rows: &mut Vec<AnswerRow>) -> bool {
    let before = rows.len();
    let mut size = 0;
    let fits = |row: &&AnswerRow| {
        size += row.size;
        size <= PART_BYTES
    };
    let fitting = rows.iter().take_while(fits).count();
    rows.truncate(fitting.max(1));
    rows.len() < before
}

/// The number of bytes of an answer, which both databases know without reading it.
const fn size(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => "CAST(octet_length(answer) AS bigint)",
        Connection::Sqlite(_) => "length(answer)",
    }
}

/// Which contacts these answers name. A few answers are read at once.
fn search(
    connection: &mut Connection,
    company: CompanyId,
    wanted: &Wanted,
    rows: &[AnswerRow],
) -> Result<Vec<(ContactId, Key)>, Failure> {
    let mut found = Vec::new();
    let (mut keys, mut size) = (Vec::new(), 0);
    let mut rows = rows.iter().peekable();
    while let Some(row) = rows.next() {
        keys.push(row.key());
        size += row.size;
        if rows.peek().is_some_and(|next| size + next.size <= READ) {
            continue;
        }
        let select = sql!(
            "SELECT user_id, key, answer FROM kept_answers WHERE {}",
            these(connection, company, &keys),
        );
        let texts: Vec<TextRow> = connection.rows(select)?;
        for row in texts {
            let named = wanted.named_in(&String::from_utf8_lossy(&row.answer));
            found.extend(named.into_iter().map(|id| (id, (row.user_id.0, row.key.clone()))));
        }
        keys.clear();
        size = 0;
    }
    Ok(found)
}

/// Deletes the answers of a company that name a contact.
pub(crate) fn forget_naming(
    connection: &mut Connection,
    company: CompanyId,
    names: &Names,
    found: &Naming,
) -> Result<(), Failure> {
    // The contact may have got another email since the search.
    let is_searched = found.names.get(&names.id) == Some(names);
    let since = is_searched.then_some(found.since);
    let later = sql!(
        "SELECT user_id, key, kept_at, {} AS size FROM kept_answers WHERE company_id = ?{}",
        size(connection),
        since.map(|since| statement(" AND kept_at >= ?").bind(since)),
    );
    let mut later: Vec<AnswerRow> = connection.rows(later.bind(company))?;
    if is_searched {
        later.retain(|row| !found.searched.contains(&(row.key(), row.kept_at.0)));
    }
    let wanted = Wanted::of(std::iter::once(names));
    let later = search(connection, company, &wanted, &later)?;
    let mut naming: Vec<Key> = later.into_iter().map(|(_, key)| key).collect();
    naming.extend(found.answers.get(&names.id).into_iter().flatten().cloned());
    lock(connection, company, &naming)?;
    delete(connection, company, &naming)
}

/// Locks these answers in the order of their keys, so that two erasures never deadlock.
fn lock(connection: &mut Connection, company: CompanyId, answers: &[Key]) -> Result<(), Failure> {
    if answers.is_empty() || matches!(connection, Connection::Sqlite(_)) {
        return Ok(());
    }
    let select = sql!(
        "SELECT user_id AS id FROM kept_answers WHERE {} ORDER BY user_id, key{}",
        these(connection, company, answers),
        Lock::ForUpdate.on(connection),
    );
    let _locked: Vec<IdRow> = connection.rows(select)?;
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

#[cfg(test)]
mod tests {
    use contact_hub_domain::time::Timestamp;
    use uuid::Uuid;

    use super::{AnswerRow, PART_BYTES, shorten};
    use crate::columns::{IdValue, MomentValue};

    #[test]
    fn a_part_has_a_maximum_of_bytes_and_at_least_one_answer() {
        let at = MomentValue(Timestamp::from_micros(0).expect("in range"));
        let row = |size| AnswerRow {
            user_id: IdValue(Uuid::nil()),
            key: String::new(),
            kept_at: at,
            size,
        };
        for (sizes, left, is_shortened) in [
            (vec![], 0, false),
            (vec![1, PART_BYTES - 1], 2, false),
            (vec![1, PART_BYTES, 0], 1, true),
            (vec![PART_BYTES + 1], 1, false),
            (vec![PART_BYTES + 1, 1], 1, true),
        ] {
            let mut rows: Vec<AnswerRow> = sizes.into_iter().map(row).collect();
            assert_eq!((shorten(&mut rows), rows.len()), (is_shortened, left));
        }
    }
}
