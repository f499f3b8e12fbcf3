//! Create an API user.

use super::{AccessError, CreateUserOutcome, User, UserDraft};
use crate::context::Ports;
use crate::ids::{CompanyId, UserId};

/// Creates a user of the company.
pub async fn create_user(
    ports: &Ports,
    company: CompanyId,
    draft: &UserDraft,
) -> Result<User, AccessError> {
    let user = draft.judge(UserId::new(ports.ids.next()), company, ports.clock.now())?;
    match ports.access.create_user(user.clone()).await? {
        CreateUserOutcome::Created => Ok(user),
        CreateUserOutcome::CompanyUnknown => Err(AccessError::CompanyNotFound),
        CreateUserOutcome::EmailTaken => Err(AccessError::UserAlreadyExists),
    }
}
