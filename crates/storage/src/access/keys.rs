//! List, read and revoke the keys of a user, and find who has a key.

use std::sync::Arc;

use contact_hub_domain::access::{ApiKey, CompanyKey, KeyHolder, OfUser, TokenHash};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::time::Timestamp;

use super::lock::{ask, lock_user};
use super::rows::{CompanyKeyRow, HolderRow, KEY, KeyRow};
use super::users;
use crate::audit;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::paged;
use crate::recorded::Recorded;
use crate::statement::{sql, statement};

/// The holder of a key that is not revoked, of a company that is not being deleted.
pub(super) fn holder(
    connection: &mut Connection,
    token: TokenHash,
) -> Result<Option<Arc<KeyHolder>>, Failure> {
    let text = "SELECT api_keys.id AS key_id, api_keys.expires_at, users.id AS user_id, users.permissions, \
         companies.id AS company_id, companies.directory_id, companies.product_access, companies.allowed_domains, \
         EXISTS (SELECT 1 FROM blocked_emails WHERE blocked_emails.company_id = companies.id) AS has_blocked_emails \
         FROM api_keys JOIN users ON users.id = api_keys.user_id JOIN companies ON companies.id = users.company_id \
         WHERE api_keys.token_hash = ? AND api_keys.revoked_at IS NULL AND companies.deleting_since IS NULL";
    let row: Option<HolderRow> =
        connection.first(statement(text).bind(token.bytes().as_slice()))?;
    row.map(|row| row.into_holder().map(Arc::new)).transpose()
}

pub(super) fn of_user(connection: &mut Connection, user: UserId) -> Result<Vec<ApiKey>, Failure> {
    let select = sql!("SELECT {} FROM api_keys WHERE user_id = ? ORDER BY created_at, id", KEY);
    let rows: Vec<KeyRow> = connection.rows(select.bind(user))?;
    Ok(rows.into_iter().map(ApiKey::from).collect())
}

pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    user: UserId,
    page: PageRequest,
) -> Result<Option<Page<ApiKey>>, Failure> {
    if users::find(connection, company, user)?.is_none() {
        return Ok(None);
    }
    let keys = statement("api_keys WHERE user_id = ?").bind(user);
    paged(connection, page, KEY, &keys, "created_at, id", |row: KeyRow| Ok(row.into())).map(Some)
}

pub(super) fn list_of_company(
    connection: &mut Connection,
    company: CompanyId,
    page: PageRequest,
) -> Result<Page<CompanyKey>, Failure> {
    let columns = sql!("{}, users.email, users.permissions", KEY);
    let keys = "users JOIN api_keys ON api_keys.user_id = users.id WHERE users.company_id = ?";
    let order = "users.email_identity, api_keys.created_at, api_keys.id";
    let keys = statement(keys).bind(company);
    paged(connection, page, columns, &keys, order, |row: CompanyKeyRow| Ok(row.into()))
}

pub(super) fn read(
    connection: &mut Connection,
    company: CompanyId,
    user: UserId,
    id: ApiKeyId,
) -> Result<OfUser<ApiKey>, Failure> {
    if users::find(connection, company, user)?.is_none() {
        return Ok(OfUser::UserNotFound);
    }
    let select = sql!("SELECT {} FROM api_keys WHERE id = ? AND user_id = ?", KEY);
    let row = connection.first::<KeyRow>(select.bind(id).bind(user))?;
    Ok(row.map_or(OfUser::KeyNotFound, |row| OfUser::Found(row.into())))
}

/// Revokes a key. If it was revoked before, nothing changes.
pub(super) fn revoke(
    connection: &mut Connection,
    by: &Author,
    user: UserId,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<Recorded<OfUser<()>>, Failure> {
    if !lock_user(connection, Some(by.company), user)? {
        return Ok(Recorded::unchanged(OfUser::UserNotFound));
    }
    let text =
        "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND user_id = ? AND revoked_at IS NULL";
    if connection.execute(statement(text).bind(at).bind(id).bind(user))? == 1 {
        let entry = NewAuditEntry::of(by, AuditAction::KeyRevoked, id.uuid(), at);
        return Ok(Recorded::by(audit::append(connection, &entry)?, OfUser::Found(())));
    }
    let known =
        statement("SELECT EXISTS (SELECT 1 FROM api_keys WHERE id = ? AND user_id = ?) AS yes");
    let is_known = ask(connection, known.bind(id).bind(user))?;
    Ok(Recorded::unchanged(if is_known { OfUser::Found(()) } else { OfUser::KeyNotFound }))
}

/// Revokes the valid keys of a user, and returns their number.
pub(super) fn revoke_all(
    connection: &mut Connection,
    user: UserId,
    at: Timestamp,
) -> Result<usize, Failure> {
    let text = "UPDATE api_keys SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL";
    Ok(connection.execute(statement(text).bind(at).bind(user))?)
}
