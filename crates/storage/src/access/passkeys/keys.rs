//! The rows of passkeys.

use diesel::QueryableByName;
use diesel::sql_types::{Binary, Nullable, Text};

use contact_hub_domain::access::{
    AddPasskeyOutcome, CredentialId, NewPasskey, Passkey, PasskeyName, PasskeyUse, StoredPasskey,
};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::{CompanyId, PasskeyId, UserId};

use crate::access::lock::lock_user;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::room::count_up_to;
use crate::statement::statement;

#[derive(QueryableByName)]
struct PasskeyRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Nullable<Moment>)]
    last_used_at: Option<MomentValue>,
}

impl From<PasskeyRow> for Passkey {
    fn from(row: PasskeyRow) -> Self {
        Self {
            id: PasskeyId::new(row.id.0),
            name: PasskeyName::from_stored(row.name),
            created_at: row.created_at.0,
            last_used_at: row.last_used_at.map(|at| at.0),
        }
    }
}

#[derive(QueryableByName)]
struct CredentialRow {
    #[diesel(sql_type = Binary)]
    credential_id: Vec<u8>,
}

/// A passkey, joined to its user.
#[derive(QueryableByName)]
struct StoredRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = Text)]
    public_key: String,
}

impl From<StoredRow> for StoredPasskey {
    fn from(row: StoredRow) -> Self {
        Self {
            id: PasskeyId::new(row.id.0),
            user: UserId::new(row.user_id.0),
            company: CompanyId::new(row.company_id.0),
            email: Email::from_stored(row.email),
            key: row.public_key,
        }
    }
}

pub(super) fn of_user(connection: &mut Connection, user: UserId) -> Result<Vec<Passkey>, Failure> {
    let text = "SELECT id, name, created_at, last_used_at FROM passkeys WHERE user_id = ? ORDER BY created_at, id";
    let rows: Vec<PasskeyRow> = connection.rows(statement(text).bind(user))?;
    Ok(rows.into_iter().map(Passkey::from).collect())
}

pub(super) fn credential_ids(
    connection: &mut Connection,
    user: UserId,
) -> Result<Vec<CredentialId>, Failure> {
    let text = "SELECT credential_id FROM passkeys WHERE user_id = ? ORDER BY created_at, id";
    let rows: Vec<CredentialRow> = connection.rows(statement(text).bind(user))?;
    Ok(rows.into_iter().map(|row| CredentialId::new(row.credential_id)).collect())
}

pub(super) fn stored(
    connection: &mut Connection,
    id: &CredentialId,
) -> Result<Option<StoredPasskey>, Failure> {
    let text = "SELECT passkeys.id, passkeys.user_id, users.company_id, users.email, passkeys.public_key FROM passkeys \
         JOIN users ON users.id = passkeys.user_id JOIN companies ON companies.id = users.company_id \
         WHERE passkeys.credential_id = ? AND companies.deleting_since IS NULL";
    let row: Option<StoredRow> = connection.first(statement(text).bind(id.bytes()))?;
    Ok(row.map(StoredPasskey::from))
}

/// The lock on the user serialises counting and adding.
pub(super) fn add(
    connection: &mut Connection,
    new: &NewPasskey,
    max: usize,
) -> Result<AddPasskeyOutcome, Failure> {
    if !lock_user(connection, None, new.user)? {
        return Ok(AddPasskeyOutcome::UserUnknown);
    }
    let held = statement("passkeys WHERE user_id = ?").bind(new.user);
    if count_up_to(connection, held, max)? >= max {
        return Ok(AddPasskeyOutcome::Full);
    }
    let text = "INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name, created_at) \
         VALUES (?, ?, ?, ?, 0, ?, ?) ON CONFLICT (credential_id) DO NOTHING";
    let insert = statement(text)
        .bind(new.passkey.id)
        .bind(new.user)
        .bind(new.credential.id.bytes())
        .bind(new.credential.key.as_str())
        .bind(new.passkey.name.as_str())
        .bind(new.passkey.created_at);
    let is_added = connection.execute(insert)? == 1;
    Ok(if is_added { AddPasskeyOutcome::Added } else { AddPasskeyOutcome::Known })
}

pub(super) fn rename(
    connection: &mut Connection,
    user: UserId,
    id: PasskeyId,
    name: &PasskeyName,
) -> Result<bool, Failure> {
    let text = "UPDATE passkeys SET name = ? WHERE id = ? AND user_id = ?";
    let rename = statement(text).bind(name.as_str()).bind(id).bind(user);
    Ok(connection.execute(rename)? == 1)
}

pub(super) fn delete(
    connection: &mut Connection,
    user: UserId,
    id: PasskeyId,
) -> Result<bool, Failure> {
    let delete = statement("DELETE FROM passkeys WHERE id = ? AND user_id = ?");
    Ok(connection.execute(delete.bind(id).bind(user))? == 1)
}

/// Deletes the passkeys of a locked user, and returns whether there were any.
pub(in crate::access) fn delete_all(
    connection: &mut Connection,
    user: UserId,
) -> Result<bool, Failure> {
    let delete = statement("DELETE FROM passkeys WHERE user_id = ?").bind(user);
    Ok(connection.execute(delete)? > 0)
}

/// Records a use; false when it does not count. Only one transaction can raise a counter to the same value.
pub(super) fn record_use(connection: &mut Connection, used: &PasskeyUse) -> Result<bool, Failure> {
    let counter = i64::from(used.counter);
    let text = "UPDATE passkeys SET public_key = ?, counter = ?, last_used_at = ? \
         WHERE id = ? AND user_id = ? AND (counter < ? OR counter = 0 AND ? = 0)";
    let record = statement(text)
        .bind(used.key.as_str())
        .bind(counter)
        .bind(used.at)
        .bind(used.id)
        .bind(used.user)
        .bind(counter)
        .bind(counter);
    Ok(connection.execute(record)? == 1)
}
