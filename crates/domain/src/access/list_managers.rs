//! Whom a user without a permission can ask.

use super::{AccessError, User};
use crate::context::{AccessPorts, Context};
use crate::email::Email;
use crate::page::{MAX_PAGE_SIZE, PageRequest};

/// How many of them are named.
const MOST: usize = 5;

/// The emails of users of the caller's company who manage access: the first few among its oldest users.
pub async fn list_managers(cx: &Context<'_, AccessPorts>) -> Result<Vec<Email>, AccessError> {
    let page = PageRequest::new(1, MAX_PAGE_SIZE).unwrap_or_default();
    let users = cx.ports.access.list_users(cx.caller.company.id, page).await?.items;
    Ok(users.into_iter().filter(User::manages_access).map(|user| user.email).take(MOST).collect())
}
