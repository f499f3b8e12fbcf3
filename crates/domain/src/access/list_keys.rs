//! List the API keys of a user.

use super::{AccessError, ApiKey};
use crate::context::Context;
use crate::ids::UserId;
use crate::page::{Page, PageRequest};

/// The page of keys of a user that a request's query asks for, in its undecoded form, the oldest first. Revoked and
/// expired ones are among them.
pub async fn list_keys(
    cx: &Context<'_>,
    user: UserId,
    query: &str,
) -> Result<Page<ApiKey>, AccessError> {
    let page = PageRequest::parse(query)?;
    let keys = cx.ports.access.list_keys(cx.caller.company.id, user, page).await?;
    keys.ok_or(AccessError::UserNotFound)
}
