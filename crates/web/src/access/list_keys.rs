//! List the API keys of a user.

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;
use contact_hub_domain::page::PageRequest;

use super::json::ApiKeyJson;
use super::shapes::API_KEY;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    API_KEYS
        .on(GET, "/users/{id}/api-keys", handle)
        .operation("listApiKeys", "List the API keys of a user", Success::Page(API_KEY))
        .details("In the order of their creation, revoked and expired ones too.")
}

async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    Asked(page): Asked<PageRequest>,
) -> Answer {
    let page = access::list_keys(&caller.context(), user, page).await?;
    let data: Vec<_> = page.items.iter().map(ApiKeyJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
