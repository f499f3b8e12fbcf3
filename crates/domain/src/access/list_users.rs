//! List users.

use super::{AccessError, User};
use crate::context::Context;
use crate::page::{Page, PageRequest};

/// The page of users that a request's query asks for, in its undecoded form, the oldest first.
pub async fn list_users(cx: &Context<'_>, query: &str) -> Result<Page<User>, AccessError> {
    let page = PageRequest::parse(query)?;
    Ok(cx.ports.access.list_users(cx.caller.company.id, page).await?)
}
