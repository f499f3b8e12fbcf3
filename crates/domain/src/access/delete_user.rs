//! Delete a user.

use super::{AccessError, DeleteUserOutcome, User};
use crate::context::{AccessPorts, Context};
use crate::ids::UserId;

/// Deletes a user with its keys, password, sessions and link. Callers cannot delete themselves.
pub async fn delete_user(cx: &Context<'_, AccessPorts>, id: UserId) -> Result<(), AccessError> {
    if id == cx.caller.user_id {
        return Err(AccessError::OwnAccess);
    }
    let now = cx.ports.environment.clock.now();
    match cx.ports.access.delete_user(cx.author(), id, now).await? {
        DeleteUserOutcome::Deleted => Ok(()),
        DeleteUserOutcome::NotFound => Err(AccessError::UserNotFound),
        DeleteUserOutcome::Denied => Err(AccessError::Denied),
    }
}

/// Decides the deletion of a user on the locked caller and user.
#[must_use]
pub fn decide_user_deletion(caller: Option<&User>, user: Option<&User>) -> DeleteUserOutcome {
    if !caller.is_some_and(User::manages_access) {
        DeleteUserOutcome::Denied
    } else if user.is_none() {
        DeleteUserOutcome::NotFound
    } else {
        DeleteUserOutcome::Deleted
    }
}
