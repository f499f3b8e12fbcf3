//! List the API keys of a user.

use super::{AccessError, ApiKey};
use crate::context::{AccessPorts, Context};
use crate::ids::UserId;
use crate::page::{Page, PageRequest};

/// A page of a user's keys, including revoked and expired ones, the oldest first.
pub async fn list_keys(
    cx: &Context<'_, AccessPorts>,
    user: UserId,
    page: PageRequest,
) -> Result<Page<ApiKey>, AccessError> {
    let keys = cx.ports.access.list_keys(cx.caller.company.id, user, page).await?;
    keys.ok_or(AccessError::UserNotFound)
}
