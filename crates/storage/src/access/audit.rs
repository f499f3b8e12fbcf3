//! The entries of the audit for access.

use diesel::QueryableByName;

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::{Author, Call};
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::time::Timestamp;
use uuid::Uuid;

use crate::audit::{self, Audited};
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

#[derive(QueryableByName)]
struct OwnerRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
}

/// The author of an action on an existing user: the given one, or an operator.
pub(super) fn author_for(
    connection: &mut Connection,
    by: Option<&Author>,
    user: UserId,
) -> Result<Author, Failure> {
    if let Some(by) = by {
        return Ok(by.clone());
    }
    let text = "SELECT company_id FROM users WHERE id = ?";
    let owner: Option<OwnerRow> = connection.first(statement(text).bind(user))?;
    let owner = owner.ok_or_else(|| Failure::Corrupt(format!("user {user} is gone")))?;
    Ok(Author::from(CompanyId::new(owner.company_id.0)))
}

/// Appends the entry of a user's action on something of their own.
pub(super) fn append_of_user(
    connection: &mut Connection,
    user: UserId,
    call: &Call,
    what: (AuditAction, Uuid),
    at: Timestamp,
) -> Result<Audited, Failure> {
    append_all_of_user(connection, user, call, &[what], at)
}

/// The same for several actions of one transaction.
pub(super) fn append_all_of_user(
    connection: &mut Connection,
    user: UserId,
    call: &Call,
    what: &[(AuditAction, Uuid)],
    at: Timestamp,
) -> Result<Audited, Failure> {
    let by = author_of_user(connection, user, call)?;
    let entry = |(action, object): &_| NewAuditEntry::of(&by, *action, *object, at);
    let entries: Vec<NewAuditEntry> = what.iter().map(entry).collect();
    audit::append_all(connection, by.company, &entries)
}

/// The entry for a new password that a user chose.
pub(super) fn password_changed(
    connection: &mut Connection,
    user: UserId,
    call: &Call,
    at: Timestamp,
) -> Result<NewAuditEntry, Failure> {
    let by = author_of_user(connection, user, call)?;
    Ok(NewAuditEntry::of(&by, AuditAction::PasswordChanged, user.uuid(), at))
}

fn author_of_user(
    connection: &mut Connection,
    user: UserId,
    call: &Call,
) -> Result<Author, Failure> {
    let owner = author_for(connection, None, user)?;
    Ok(Author { user: Some(user), call: call.clone(), ..owner })
}
