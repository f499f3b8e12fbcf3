//! Read one API key.

use contact_hub_domain::access;
use contact_hub_domain::ids::{ApiKeyId, UserId};

use super::json::ApiKeyJson;
use super::shapes::API_KEY;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    API_KEYS
        .on(GET, "/users/{id}/api-keys/{key_id}", handle)
        .operation("readApiKey", "Read one API key", Success::One(API_KEY))
        .details("The key without its token.")
}

async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    PathId(key_id): PathId<ApiKeyId>,
) -> Answer {
    let key = access::read_key(&caller.context(), user, key_id).await?;
    Ok(envelope::ok(&ApiKeyJson::from(&key)))
}
