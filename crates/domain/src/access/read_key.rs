//! Read an API key.

use super::{AccessError, ApiKey, OfUser};
use crate::context::{AccessPorts, Context};
use crate::ids::{ApiKeyId, UserId};

/// A key of a user of the caller's company.
pub async fn read_key(
    cx: &Context<'_, AccessPorts>,
    user: UserId,
    id: ApiKeyId,
) -> Result<ApiKey, AccessError> {
    match cx.ports.access.read_key(cx.caller.company.id, user, id).await? {
        OfUser::Found(key) => Ok(key),
        OfUser::KeyNotFound => Err(AccessError::ApiKeyNotFound),
        OfUser::UserNotFound => Err(AccessError::UserNotFound),
    }
}
