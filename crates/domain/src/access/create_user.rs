//! Create an API user.

use super::{AccessError, CreateUserOutcome, User, UserDraft};
use crate::author::Author;
use crate::context::AccessPorts;
use crate::ids::UserId;
use crate::limits::exceeded;

/// Creates a user of the company.
///
/// Rejected when the company has as many users as [`Limits`](crate::limits::Limits) allow.
pub async fn create_user(
    ports: &AccessPorts,
    by: Author,
    draft: &UserDraft,
) -> Result<User, AccessError> {
    let user = draft.validate(
        UserId::new(ports.environment.ids.next()),
        by.company,
        ports.environment.clock.now(),
    )?;
    let max = ports.environment.limits.users;
    created(ports.access.create_user(by, user.clone(), max).await?, max)?;
    Ok(user)
}

/// Succeeds if the user was created; `max` is how many a company may have.
pub(super) fn created(outcome: CreateUserOutcome, max: usize) -> Result<(), AccessError> {
    match outcome {
        CreateUserOutcome::Created => Ok(()),
        CreateUserOutcome::CompanyUnknown => Err(AccessError::CompanyNotFound),
        CreateUserOutcome::EmailTaken => Err(AccessError::UserAlreadyExists),
        CreateUserOutcome::Full => {
            Err(AccessError::Invalid(exceeded("email", "a company", max, "user")))
        }
    }
}
