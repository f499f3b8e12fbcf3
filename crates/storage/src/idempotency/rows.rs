//! The rows of kept answers.

use diesel::QueryableByName;
use diesel::sql_types::{Binary, Bool, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::idempotency::{KeptAnswer, KeptCall, KeyedCall};
use contact_hub_domain::ids::WebhookSecretId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Resealed, Sealed};

use super::large;
use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source};
use crate::failure::Failure;
use crate::paged::TotalRow;
use crate::room::hold_company;
use crate::statement::{Bind, Statement, sql, statement};

#[derive(QueryableByName)]
struct KeptRow {
    #[diesel(sql_type = Binary)]
    fingerprint: Vec<u8>,
    #[diesel(sql_type = Nullable<Id>)]
    sealed_id: Option<IdValue>,
    #[diesel(sql_type = Nullable<Text>)]
    key_id: Option<String>,
    #[diesel(sql_type = Binary)]
    answer: Vec<u8>,
    #[diesel(sql_type = Bool)]
    counts: bool,
}

#[derive(QueryableByName)]
struct SealedRow {
    #[diesel(sql_type = Id)]
    sealed_id: IdValue,
    #[diesel(sql_type = Text)]
    key_id: String,
    #[diesel(sql_type = Binary)]
    answer: Vec<u8>,
}

#[derive(QueryableByName)]
struct EnteredRow {
    #[diesel(sql_type = Bool)]
    is_locked: bool,
    #[diesel(sql_type = Bool)]
    is_kept: bool,
}

impl KeptRow {
    fn into_call(self) -> Result<KeptCall, Failure> {
        let fingerprint = self.fingerprint.try_into();
        let fingerprint = fingerprint
            .map_err(|_other_length| Failure::Corrupt("the fingerprint of a call".to_owned()))?;
        let answer = match self.sealed_id.zip(self.key_id) {
            Some((id, key_id)) => KeptAnswer::Sealed(
                WebhookSecretId::new(id.0),
                Sealed { key_id, bytes: self.answer },
            ),
            None => KeptAnswer::Plain(self.answer),
        };
        Ok(KeptCall { fingerprint, answer })
    }
}

/// The answer of a call, if it has not expired.
///
/// The time is not a condition of the look-up, here and in [`enter`]. Otherwise, while it has no statistics of a new
/// table, PostgreSQL chooses the index of moments, and reads all answers of the company for each key. The look-ups are
/// planned at each run, unless a transaction allows indexes alone: a plan that was kept from when the table was empty
/// would read all of it.
pub(super) fn find(
    connection: &mut Connection,
    call: &KeyedCall,
) -> Result<Option<KeptCall>, Failure> {
    let text = "SELECT fingerprint, sealed_id, key_id, answer, kept_at > ? AS counts FROM kept_answers \
         WHERE company_id = ? AND user_id = ? AND key = ?";
    let select = statement(text).bind(call.expired).bind(call.company).bind(call.user);
    let row: Option<KeptRow> = connection.first(select.bind(call.key.as_str()).uncached())?;
    row.filter(|row| row.counts).map(KeptRow::into_call).transpose()
}

/// Whether a call may continue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entered {
    Free,
    /// Another call with its key is in progress.
    InUse,
    /// A call with its key was answered.
    Kept,
}

impl Entered {
    const fn of(row: &EnteredRow) -> Self {
        match row {
            EnteredRow { is_kept: true, .. } => Self::Kept,
            EnteredRow { is_locked: false, .. } => Self::InUse,
            EnteredRow { .. } => Self::Free,
        }
    }
}

/// Takes the lock of a call's key until the end of the transaction, and looks for an answer. On SQLite the transactions that
/// write exclude each other.
///
/// On PostgreSQL answers have no foreign key to their company. So the company's row is locked too: it is not deleted
/// before the transaction ends.
pub(super) fn enter(
    storage: &Storage,
    connection: &mut Connection,
    call: &KeyedCall,
) -> Result<Entered, Failure> {
    let select = entering(storage, connection, &[call], call).uncached();
    let row: Option<EnteredRow> = connection.first(select)?;
    let entered = row.as_ref().map(Entered::of).ok_or(Failure::Overtaken)?;
    let goes_on_in_cluster = entered == Entered::Free && storage.opener().is_cluster();
    if goes_on_in_cluster && !hold_company(connection, call.company)? {
        return Err(Failure::Overtaken);
    }
    Ok(entered)
}

/// The same for calls of one company, in a transaction [that they share](crate::transaction::begin_shared). On a cluster each
/// statement is planned for its values, since they determine the node, and the insertion of the contacts holds the company.
pub(super) fn enter_together(
    storage: &Storage,
    connection: &mut Connection,
    calls: &[&KeyedCall],
) -> Result<Vec<Entered>, Failure> {
    let Some(first) = calls.first() else { return Ok(Vec::new()) };
    let select = entering(storage, connection, calls, first);
    let select = if storage.opener().is_cluster() { select.uncached() } else { select };
    let rows: Vec<EnteredRow> = connection.rows(select)?;
    if rows.is_empty() {
        return Err(Failure::Overtaken);
    }
    Ok(rows.iter().map(Entered::of).collect())
}

/// It reads the first answer from the call's key on, in the order of the primary key, and checks that it has this key. With an
/// equality PostgreSQL may use the index by age, which costs as much while the table is empty, and keep this plan.
///
/// Locks the company's row, and returns no rows if there is no such company. On a cluster the caller locks it, since
/// the company is on another node than the answers.
fn entering(
    storage: &Storage,
    connection: &Connection,
    calls: &[&KeyedCall],
    first: &KeyedCall,
) -> Statement {
    let source = Source::of(calls)
        .ids("user_id", |call| call.user.uuid())
        .texts("key", |call| call.key.as_str().to_owned());
    let is_locked = match connection {
        Connection::Postgres(_) => {
            "pg_try_advisory_xact_lock(hashtextextended(user_id::text || ' ' || key, 0))"
        }
        Connection::Sqlite(_) => "1",
    };
    let held = (!storage.opener().is_cluster()).then(|| {
        let lock = Lock::ForKeyShare.on(connection);
        sql!("(SELECT id FROM companies WHERE id = ?{}) AS held CROSS JOIN ", lock)
            .bind(first.company)
    });
    let select = sql!(
        "SELECT {} AS is_locked, COALESCE((SELECT kept_at > ? AND next.key = source.key FROM \
         (SELECT key, kept_at FROM kept_answers WHERE kept_answers.company_id = ? \
         AND kept_answers.user_id = source.user_id AND kept_answers.key >= source.key ORDER BY key LIMIT 1) AS next), \
         false) AS is_kept FROM {}{}",
        is_locked,
        held,
        source.table(connection),
    );
    select.bind(oldest(calls.iter().copied())).bind(first.company)
}

/// Answers until then have expired for each of the calls.
fn oldest<'a>(calls: impl Iterator<Item = &'a KeyedCall>) -> Option<Timestamp> {
    calls.map(|call| call.expired).min()
}

/// Inserts the answers of calls of one company, or replaces those that have expired; returns false if a call has another
/// one.
pub(super) fn insert(
    connection: &mut Connection,
    answers: &[(&KeyedCall, KeptAnswer)],
) -> Result<bool, Failure> {
    let answers = large::bounded(connection, answers)?;
    // On SQLite rows as input are text, which would encode an answer once more.
    let at_once = if let Connection::Sqlite(_) = connection { 1 } else { answers.len().max(1) };
    for part in answers.chunks(at_once) {
        let inserted = match part {
            [(call, answer)] => insert_one(connection, call, answer)?,
            several => insert_several(connection, several)?,
        };
        if inserted < part.len() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Follows the values, and precedes the condition that the present answer has expired.
const OR_REPLACE: &str = "ON CONFLICT (company_id, user_id, key) DO UPDATE \
     SET fingerprint = excluded.fingerprint, kept_at = excluded.kept_at, sealed_id = excluded.sealed_id, \
     key_id = excluded.key_id, answer = excluded.answer, large_size = excluded.large_size WHERE ";

fn insert_one(
    connection: &mut Connection,
    call: &KeyedCall,
    answer: &KeptAnswer,
) -> Result<usize, Failure> {
    let (sealed_id, key_id, bytes) = match answer {
        KeptAnswer::Plain(bytes) => (None, None, bytes),
        KeptAnswer::Sealed(id, sealed) => {
            (Some(IdValue(id.uuid())), Some(sealed.key_id.clone()), &sealed.bytes)
        }
    };
    let insert = sql!(
        "INSERT INTO kept_answers (company_id, user_id, key, fingerprint, kept_at, sealed_id, key_id, answer, large_size) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) {}kept_answers.kept_at <= ?",
        OR_REPLACE
    );
    let insert = insert
        .bind(call.company)
        .bind(call.user)
        .bind(call.key.as_str())
        .bind(call.fingerprint.as_slice())
        .bind(call.at)
        .bind(Bind::OptionalId(sealed_id))
        .bind(key_id)
        .bind(bytes.as_slice())
        .bind(Bind::OptionalInt(large::size(answer)))
        .bind(call.expired);
    Ok(connection.execute(insert)?)
}

/// Calls that share a transaction have no secrets in their answers, and their answers expire after the same time.
///
/// On a cluster the coordinator evaluates `unnest`, and the statements that it sends to the shards no longer use the
/// parameters. A parameter that is left elsewhere makes it send all of them, and a shard rejects unused parameters,
/// whose types it cannot find. It also rejects functions there that depend on settings, such as a moment less an
/// interval. And it counts rows that it skips as inserted, but does not return them.
fn insert_several(
    connection: &mut Connection,
    answers: &[(&KeyedCall, KeptAnswer)],
) -> Result<usize, Failure> {
    let plain = |answer: &KeptAnswer| match answer {
        KeptAnswer::Plain(bytes) => bytes.clone(),
        KeptAnswer::Sealed(..) => Vec::new(),
    };
    if answers.iter().any(|(_, answer)| matches!(answer, KeptAnswer::Sealed(..))) {
        return Err(Failure::Withdrawn);
    }
    let kept_for = answers.iter().map(|(call, _)| call.at.micros().abs_diff(call.expired.micros()));
    let kept_for = kept_for.max().unwrap_or_default();
    let source = Source::of(answers)
        .ids("company_id", |(call, _)| call.company.uuid())
        .ids("user_id", |(call, _)| call.user.uuid())
        .texts("key", |(call, _)| call.key.as_str().to_owned())
        .blobs("fingerprint", |(call, _)| call.fingerprint.to_vec())
        .moments("kept_at", |(call, _)| call.at)
        .blobs("answer", move |(_, answer)| plain(answer))
        .ints("large_size", |(_, answer)| large::size(answer).map(i64::from));
    let insert = sql!(
        "INSERT INTO kept_answers ({columns}) SELECT {columns} FROM {table} \
         {or_replace}excluded.kept_at - kept_answers.kept_at >= {kept_for} * interval '1 microsecond' \
         RETURNING CAST(1 AS bigint) AS total",
        columns = source.names(),
        table = source.table(connection),
        or_replace = OR_REPLACE,
        kept_for = kept_for,
    );
    let inserted: Vec<TotalRow> = connection.rows(insert)?;
    Ok(inserted.len())
}

/// Up to `limit` answers that are sealed under another key than this one, in the order of their ids, after `after`.
pub(crate) fn sealed_answers(
    connection: &mut Connection,
    key_id: &str,
    after: Uuid,
    limit: u32,
) -> Result<Vec<(WebhookSecretId, Sealed)>, Failure> {
    let text = "SELECT sealed_id, key_id, answer FROM kept_answers WHERE sealed_id > ? AND key_id <> ? \
         ORDER BY sealed_id LIMIT ?";
    let select = statement(text).bind(IdValue(after)).bind(key_id).bind(i64::from(limit));
    let rows: Vec<SealedRow> = connection.rows(select)?;
    let pair = |row: SealedRow| {
        let sealed = Sealed { key_id: row.key_id, bytes: row.answer };
        (WebhookSecretId::new(row.sealed_id.0), sealed)
    };
    Ok(rows.into_iter().map(pair).collect())
}

/// Replaces a sealed answer; returns how many rows had it.
pub(crate) fn reseal_answer(
    connection: &mut Connection,
    secret: &Resealed,
) -> Result<usize, Failure> {
    let text = "UPDATE kept_answers SET key_id = ?, answer = ? WHERE sealed_id = ? AND key_id = ?";
    let update = statement(text)
        .bind(secret.after.key_id.as_str())
        .bind(secret.after.bytes.as_slice())
        .bind(secret.id)
        .bind(secret.before.key_id.as_str());
    Ok(connection.execute(update)?)
}
