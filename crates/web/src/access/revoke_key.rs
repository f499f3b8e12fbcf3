//! Revoke an API key.

use contact_hub_domain::access;
use contact_hub_domain::ids::{ApiKeyId, UserId};

use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    API_KEYS
        .on(DELETE, "/users/{id}/api-keys/{key_id}", handle)
        .operation("revokeApiKey", "Revoke an API key", Success::Nothing)
        .details(
            "It stops working at once, and stays to be seen. Revoking it again changes \
             nothing.",
        )
}

async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    PathId(key_id): PathId<ApiKeyId>,
) -> Answer {
    access::revoke_key_of(&caller.context(), user, key_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
