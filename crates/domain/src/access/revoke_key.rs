//! Revoke an API key.

use super::{AccessError, OfUser};
use crate::author::Author;
use crate::context::{AccessPorts, Context};
use crate::ids::{ApiKeyId, UserId};

/// Revokes a key of the company, or of any company for an operator. Revoking it again changes nothing.
pub async fn revoke_key(
    ports: &AccessPorts,
    by: Option<Author>,
    id: ApiKeyId,
) -> Result<(), AccessError> {
    if ports.access.revoke_key(by, id, ports.environment.clock.now()).await? {
        Ok(())
    } else {
        Err(AccessError::ApiKeyNotFound)
    }
}

/// Revokes a key of a user of the caller's company. Revoking it again changes nothing.
pub async fn revoke_key_of(
    cx: &Context<'_, AccessPorts>,
    user: UserId,
    id: ApiKeyId,
) -> Result<(), AccessError> {
    let now = cx.ports.environment.clock.now();
    match cx.ports.access.revoke_key_of(cx.author(), user, id, now).await? {
        OfUser::Found(()) => Ok(()),
        OfUser::KeyNotFound => Err(AccessError::ApiKeyNotFound),
        OfUser::UserNotFound => Err(AccessError::UserNotFound),
    }
}
