//! Change a user.

use super::{AccessError, ChangeUserOutcome, User, UserDraft};
use crate::context::Context;
use crate::ids::UserId;

/// Changes what a request gave and leaves the rest. Callers cannot take the permission to manage access from themselves.
/// An unknown user is told before anything that is wrong with the change.
pub async fn change_user(
    cx: &Context<'_>,
    id: UserId,
    change: UserDraft,
) -> Result<User, AccessError> {
    let (company, caller) = (cx.caller.company.id, cx.caller.user_id);
    match cx.ports.access.change_user(company, caller, id, change).await? {
        ChangeUserOutcome::Changed(user) => Ok(user),
        ChangeUserOutcome::NotFound => Err(AccessError::UserNotFound),
        ChangeUserOutcome::Refused(violations) => Err(AccessError::Invalid(violations)),
        ChangeUserOutcome::EmailTaken => Err(AccessError::UserAlreadyExists),
        ChangeUserOutcome::OwnAccess => Err(AccessError::OwnAccess),
        ChangeUserOutcome::Denied => Err(AccessError::Denied),
    }
}
