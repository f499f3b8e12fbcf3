//! The rows of kept answers.

use diesel::QueryableByName;
use diesel::sql_types::{Binary, Bool, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::idempotency::{KeptAnswer, KeptCall, KeyedCall};
use contact_hub_domain::ids::{CompanyId, UserId, WebhookSecretId};
use contact_hub_domain::webhooks::{Resealed, Sealed};

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Bind, joined, sql, statement};

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
struct Locked {
    #[diesel(sql_type = Bool)]
    yes: bool,
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

pub(super) fn find(
    connection: &mut Connection,
    call: &KeyedCall,
) -> Result<Option<KeptCall>, Failure> {
    let text = "SELECT fingerprint, sealed_id, key_id, answer FROM kept_answers \
         WHERE company_id = ? AND user_id = ? AND key = ? AND kept_at > ?";
    let select = statement(text).bind(call.company).bind(call.user).bind(call.key.as_str());
    let row: Option<KeptRow> = connection.first(select.bind(call.expired))?;
    row.map(KeptRow::into_call).transpose()
}

/// Takes the locks of the calls' keys until the end of the transaction; returns false if another one has any of them. On
/// SQLite the transactions that write exclude each other.
pub(super) fn lock(connection: &mut Connection, calls: &[&KeyedCall]) -> Result<bool, Failure> {
    if let Connection::Sqlite(_) = connection {
        return Ok(true);
    }
    let lock = statement(
        "SELECT bool_and(pg_try_advisory_xact_lock(hashtextextended(key, 0))) AS yes FROM unnest(?) AS keys (key)",
    );
    let key = |call: &&KeyedCall| Some(format!("{} {}", call.user, call.key.as_str()));
    let keys: Vec<Option<String>> = calls.iter().map(key).collect();
    let locked: Option<Locked> = connection.first(lock.bind(keys))?;
    Ok(locked.is_some_and(|locked| locked.yes))
}

/// Inserts the answers, or replaces those that have expired; returns false if a call has another one.
pub(super) fn insert(
    connection: &mut Connection,
    answers: &[(&KeyedCall, KeptAnswer)],
) -> Result<bool, Failure> {
    // On SQLite a statement costs little, and a large answer would be encoded as text for several in one.
    let at_once = if let Connection::Sqlite(_) = connection { 1 } else { answers.len() };
    for part in answers.chunks(at_once.max(1)) {
        if insert_part(connection, part)? < part.len() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn insert_part(
    connection: &mut Connection,
    answers: &[(&KeyedCall, KeptAnswer)],
) -> Result<usize, Failure> {
    let rows = answers.iter().map(|_| "(?, ?, ?, ?, ?, ?, ?, ?)");
    let insert = sql!(
        "INSERT INTO kept_answers (company_id, user_id, key, fingerprint, kept_at, sealed_id, key_id, answer) \
         VALUES {} ON CONFLICT (company_id, user_id, key) DO UPDATE \
         SET fingerprint = excluded.fingerprint, kept_at = excluded.kept_at, sealed_id = excluded.sealed_id, \
         key_id = excluded.key_id, answer = excluded.answer WHERE kept_answers.kept_at <= ?",
        joined(rows, ", ")
    );
    let values = answers.iter().fold(insert, |insert, (call, answer)| {
        let (sealed_id, key_id, bytes) = match answer {
            KeptAnswer::Plain(bytes) => (None, None, bytes),
            KeptAnswer::Sealed(id, sealed) => {
                (Some(IdValue(id.uuid())), Some(sealed.key_id.clone()), &sealed.bytes)
            }
        };
        insert
            .bind(call.company)
            .bind(call.user)
            .bind(call.key.as_str())
            .bind(call.fingerprint.as_slice())
            .bind(call.at)
            .bind(Bind::OptionalId(sealed_id))
            .bind(key_id)
            .bind(bytes.as_slice())
    });
    let oldest = answers.iter().map(|(call, _)| call.expired).min();
    Ok(connection.execute(values.bind(oldest))?)
}

/// Deletes the answers of a user.
pub(crate) fn forget_calls(
    connection: &mut Connection,
    company: CompanyId,
    user: UserId,
) -> Result<(), Failure> {
    let text = "DELETE FROM kept_answers WHERE company_id = ? AND user_id = ?";
    connection.execute(statement(text).bind(company).bind(user))?;
    Ok(())
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
