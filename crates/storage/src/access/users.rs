//! List, change and delete users.

use diesel::result::{DatabaseErrorKind, Error};

use contact_hub_domain::access::{
    ChangeUserOutcome, DeleteUserOutcome, User, UserDraft, decide_user_change, decide_user_deletion,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::time::Timestamp;

use super::rows::{USER, UserRow};
use crate::audit;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::idempotency::delete_answers_of;
use crate::paged::paged;
use crate::recorded::Recorded;
use crate::statement::{sql, statement};

pub(super) fn find(
    connection: &mut Connection,
    company: CompanyId,
    id: UserId,
) -> Result<Option<User>, Failure> {
    let select = sql!("SELECT {} FROM users WHERE id = ? AND company_id = ?", USER);
    let row = connection.first::<UserRow>(select.bind(id).bind(company))?;
    Ok(row.map(UserRow::into_user))
}

pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    page: PageRequest,
) -> Result<Page<User>, Failure> {
    let users = statement("users WHERE company_id = ?").bind(company);
    paged(connection, page, USER, &users, "created_at, id", |row: UserRow| Ok(row.into_user()))
}

/// Returns the author and the target user. Both are locked in the order of
/// their ids, so that two users who change each other do not deadlock.
fn lock_both(
    connection: &mut Connection,
    by: &Author,
    id: UserId,
) -> Result<(Option<User>, Option<User>), Failure> {
    let (company, caller) = (by.company, by.user.unwrap_or(id));
    let lock = Lock::ForUpdate.on(connection);
    let select = sql!(
        "SELECT {} FROM users WHERE company_id = ? AND id IN (?, ?) ORDER BY id{}",
        USER,
        lock
    );
    let select = select.bind(company).bind(caller).bind(id);
    let rows: Vec<UserRow> = connection.rows(select)?;
    let users: Vec<User> = rows.into_iter().map(UserRow::into_user).collect();
    let found = |id| users.iter().find(|user| user.id == id).cloned();
    Ok((by.user.and_then(found), found(id)))
}

pub(super) fn change(
    connection: &mut Connection,
    by: &Author,
    id: UserId,
    change: &UserDraft,
    at: Timestamp,
) -> Result<Recorded<ChangeUserOutcome>, Failure> {
    let (caller, before) = lock_both(connection, by, id)?;
    let decided = decide_user_change(caller.as_ref(), before.as_ref(), change);
    if let (ChangeUserOutcome::Changed(after), Some(before)) = (&decided, &before)
        && before != after
    {
        if !update(connection, after)? {
            return Ok(Recorded::unchanged(ChangeUserOutcome::EmailTaken));
        }
        let entry = NewAuditEntry::of(by, AuditAction::UserUpdated, id.uuid(), at);
        let entry = audit::append(connection, &entry.with_changes(before, after))?;
        return Ok(Recorded::by(entry, decided));
    }
    Ok(Recorded::unchanged(decided))
}

/// Returns false when another user of the company has the email.
fn update(connection: &mut Connection, user: &User) -> Result<bool, Failure> {
    let text = "UPDATE users SET email = ?, email_identity = ?, permissions = ? WHERE id = ? AND company_id = ? \
         AND NOT EXISTS (SELECT 1 FROM users AS other WHERE other.company_id = ? AND other.email_identity = ? \
         AND other.id <> ?)";
    let update = statement(text)
        .bind(user.email.as_str())
        .bind(user.email.identity())
        .bind(user.permissions.bits())
        .bind(user.id)
        .bind(user.company_id)
        .bind(user.company_id)
        .bind(user.email.identity())
        .bind(user.id);
    match connection.execute(update) {
        Ok(updated) => Ok(updated == 1),
        // A user created in the meantime has the email.
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Err(Failure::Overtaken),
        Err(error) => Err(error.into()),
    }
}

/// Returns also whether the user may have more kept answers, which the caller deletes after the commit: there may be too many
/// for one transaction.
pub(super) fn delete(
    connection: &mut Connection,
    by: &Author,
    id: UserId,
    at: Timestamp,
) -> Result<Recorded<(DeleteUserOutcome, bool)>, Failure> {
    let (caller, user) = lock_both(connection, by, id)?;
    let decided = decide_user_deletion(caller.as_ref(), user.as_ref());
    if decided != DeleteUserOutcome::Deleted {
        return Ok(Recorded::unchanged((decided, false)));
    }
    connection.execute(statement("DELETE FROM api_keys WHERE user_id = ?").bind(id))?;
    let may_have_more = delete_answers_of(connection, by.company, id)? > 0;
    let delete = statement("DELETE FROM users WHERE id = ? AND company_id = ?");
    connection.execute(delete.bind(id).bind(by.company))?;
    let entry = NewAuditEntry::of(by, AuditAction::UserDeleted, id.uuid(), at);
    let entry = user.iter().fold(entry, NewAuditEntry::with_old);
    Ok(Recorded::by(audit::append(connection, &entry)?, (decided, may_have_more)))
}
