//! List users.

use contact_hub_domain::access;
use contact_hub_domain::page::PageRequest;

use super::json::UserJson;
use super::shapes::USER;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    USERS
        .on(GET, "/users", handle)
        .operation("listUsers", "List users", Success::Page(USER))
        .details("In the order of their creation.")
}

async fn handle(caller: Caller, Asked(page): Asked<PageRequest>) -> Answer {
    let page = access::list_users(&caller.context(), page).await?;
    let data: Vec<_> = page.items.iter().map(UserJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
