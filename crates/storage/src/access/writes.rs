//! Writes of companies, users and keys.

use diesel::QueryableByName;

use contact_hub_domain::access::{
    ApiKey, Company, CreateKeyOutcome, CreateUserOutcome, Link, TokenHash, User,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};
use contact_hub_domain::time::Timestamp;

use super::links;
use super::lock::{ask, lock_user, of_company};
use super::rows::encode_allowlist;
use crate::audit;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Source, in_index_order, lock_for_all};
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::room::{count_up_to, lock_company};
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct KeyUser {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
}

/// The advisory lock under which the first company is created: the letters "boot".
const BOOTSTRAP_LOCK: i64 = 0x626f_6f74;

/// Creates a company, as the operator does.
pub(super) fn create_company(
    connection: &mut Connection,
    company: &Company,
) -> Result<Recorded<()>, Failure> {
    insert_company(connection, company)?;
    let by = Author::from(company.id);
    let (id, at) = (company.id.uuid(), company.created_at);
    let entry = NewAuditEntry::of(&by, AuditAction::CompanyCreated, id, at).with_new(company);
    Ok(Recorded::by(audit::append(connection, &entry)?, ()))
}

fn insert_company(connection: &mut Connection, company: &Company) -> Result<(), Failure> {
    let text = "INSERT INTO companies (id, directory_id, name, product_access, allowed_domains, created_at) \
         VALUES (?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(company.id)
        .bind(company.directory_id)
        .bind(company.name.as_str())
        .bind(company.product_access)
        .bind(encode_allowlist(&company.allowed_domains))
        .bind(company.created_at);
    connection.execute(insert)?;
    let text = "INSERT INTO contact_counts (company_id, active) VALUES (?, ?)";
    connection.execute(statement(text).bind(company.id).bind(0_i64))?;
    Ok(())
}

pub(super) fn create_user(
    connection: &mut Connection,
    user: &User,
    max: usize,
) -> Result<CreateUserOutcome, Failure> {
    let company = user.company_id;
    if !lock_company(connection, company)? {
        return Ok(CreateUserOutcome::CompanyUnknown);
    }
    let taken =
        "SELECT EXISTS (SELECT 1 FROM users WHERE company_id = ? AND email_identity = ?) AS yes";
    if ask(connection, statement(taken).bind(company).bind(user.email.identity()))? {
        return Ok(CreateUserOutcome::EmailTaken);
    }
    let users = statement("users WHERE company_id = ?").bind(company);
    if count_up_to(connection, users, max)? >= max {
        return Ok(CreateUserOutcome::Full);
    }
    // A concurrent change of another user may take the email.
    let stored = insert_user(connection, user)?;
    Ok(if stored { CreateUserOutcome::Created } else { CreateUserOutcome::EmailTaken })
}

fn insert_user(connection: &mut Connection, user: &User) -> Result<bool, Failure> {
    let text = "INSERT INTO users (id, company_id, email, email_identity, permissions, created_at) \
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (company_id, email_identity) DO NOTHING";
    let insert = statement(text)
        .bind(user.id)
        .bind(user.company_id)
        .bind(user.email.as_str())
        .bind(user.email.identity())
        .bind(user.permissions.bits())
        .bind(user.created_at);
    Ok(connection.execute(insert)? == 1)
}

pub(super) fn create_key(
    connection: &mut Connection,
    company: Option<CompanyId>,
    key: &ApiKey,
    hash: TokenHash,
    max: usize,
) -> Result<CreateKeyOutcome, Failure> {
    if !lock_user(connection, company, key.user_id)? {
        return Ok(CreateKeyOutcome::UserUnknown);
    }
    if count_valid_keys(connection, key.user_id, key.created_at, max)? >= max {
        return Ok(CreateKeyOutcome::Full);
    }
    insert_key(connection, key, hash)?;
    Ok(CreateKeyOutcome::Created)
}

/// Counts the keys of the user that are neither revoked nor expired. Keys that never expire and the others are each
/// counted up to `max`.
fn count_valid_keys(
    connection: &mut Connection,
    user: UserId,
    now: Timestamp,
    max: usize,
) -> Result<usize, Failure> {
    let text = "api_keys WHERE user_id = ? AND revoked_at IS NULL AND expires_at IS NULL";
    let lasting = count_up_to(connection, statement(text).bind(user), max)?;
    let text = "api_keys WHERE user_id = ? AND revoked_at IS NULL AND expires_at > ?";
    let expiring = count_up_to(connection, statement(text).bind(user).bind(now), max)?;
    Ok(lasting.saturating_add(expiring))
}

pub(super) fn insert_key(
    connection: &mut Connection,
    key: &ApiKey,
    hash: TokenHash,
) -> Result<(), Failure> {
    let text = "INSERT INTO api_keys (id, user_id, name, token_start, token_hash, expires_at, created_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(key.id)
        .bind(key.user_id)
        .bind(key.name.as_str())
        .bind(key.start.as_str())
        .bind(hash.bytes().as_slice())
        .bind(key.expires_at)
        .bind(key.created_at);
    connection.execute(insert)?;
    Ok(())
}

/// Revokes a key, and returns its user; `None` when there is none, or it was revoked before.
pub(super) fn revoke_key(
    connection: &mut Connection,
    company: Option<CompanyId>,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<Option<UserId>, Failure> {
    let revoke = sql!(
        "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL AND EXISTS \
         (SELECT 1 FROM users WHERE users.id = api_keys.user_id{}) RETURNING user_id",
        of_company("users.company_id", company),
    );
    let holder: Option<KeyUser> = connection.first(revoke.bind(at).bind(id))?;
    Ok(holder.map(|holder| UserId::new(holder.user_id.0)))
}

/// Whether there is such a key, revoked or not.
pub(super) fn has_key(
    connection: &mut Connection,
    company: Option<CompanyId>,
    id: ApiKeyId,
) -> Result<bool, Failure> {
    let known = sql!(
        "SELECT EXISTS (SELECT 1 FROM api_keys JOIN users ON users.id = api_keys.user_id \
         WHERE api_keys.id = ?{}) AS yes",
        of_company("users.company_id", company),
    );
    ask(connection, known.bind(id))
}

pub(super) fn bootstrap(
    connection: &mut Connection,
    company: &Company,
    owner: &User,
    (key, key_hash): &(ApiKey, TokenHash),
    (link, link_hash): &(Link, TokenHash),
) -> Result<Recorded<bool>, Failure> {
    lock_for_all(connection, BOOTSTRAP_LOCK)?;
    if ask(connection, statement("SELECT EXISTS (SELECT 1 FROM companies) AS yes"))? {
        return Ok(Recorded::unchanged(false));
    }
    insert_company(connection, company)?;
    insert_user(connection, owner)?;
    insert_key(connection, key, *key_hash)?;
    links::insert(connection, link, *link_hash)?;
    let by = Author::from(company.id);
    let entry = |action, id| NewAuditEntry::of(&by, action, id, company.created_at);
    let entries = [
        entry(AuditAction::CompanyCreated, company.id.uuid()).with_new(company),
        entry(AuditAction::UserCreated, owner.id.uuid()).with_new(owner),
        entry(AuditAction::KeyCreated, key.id.uuid()).with_new(key),
        entry(AuditAction::UserInvited, owner.id.uuid()),
    ];
    Ok(Recorded::by(audit::append_all(connection, company.id, &entries)?, true))
}

/// Writes the last uses of keys, which are in the order of their ids.
pub(super) fn record_use(
    connection: &mut Connection,
    uses: &[(ApiKeyId, Timestamp)],
) -> Result<(), Failure> {
    let source =
        Source::of(uses).ids("id", |(id, _)| id.uuid()).moments("used_at", |(_, used_at)| *used_at);
    let update = sql!(
        "UPDATE api_keys SET last_used_at = source.used_at FROM {} WHERE api_keys.id = source.id \
         AND (last_used_at IS NULL OR last_used_at < source.used_at)",
        source.table(connection)
    );
    in_index_order(connection, |connection| Ok(connection.execute(update)?))?;
    Ok(())
}
