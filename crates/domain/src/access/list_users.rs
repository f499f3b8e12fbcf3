//! List users.

use super::{AccessError, User};
use crate::context::{AccessPorts, Context};
use crate::page::{Page, PageRequest};

/// A page of the company's users, the oldest first.
pub async fn list_users(
    cx: &Context<'_, AccessPorts>,
    page: PageRequest,
) -> Result<Page<User>, AccessError> {
    Ok(cx.ports.access.list_users(cx.caller.company.id, page).await?)
}
