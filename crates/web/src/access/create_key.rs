//! Create an API key.

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::json::{CreatedKeyJson, key_draft};
use super::shapes::{API_KEY_INPUT, API_KEY_WITH_TOKEN};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    API_KEYS
        .on(POST, "/users/{id}/api-keys", handle)
        .operation("createApiKey", "Create an API key", Success::Created(API_KEY_WITH_TOKEN))
        .details("The token is shown this once. The body may be left out.")
        .reads(API_KEY_INPUT)
        .answers_secret()
}

async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    body: OptionalBody<STANDARD_BODY>,
) -> Answer {
    let (draft, cx) = (key_draft(&body.object()?), caller.context());
    let created = access::create_key(cx.ports, Some(cx.author()), user, &draft).await?;
    let location = caller.manage_url(&format!("/users/{user}/api-keys/{}", created.key.id));
    Ok(envelope::created(&CreatedKeyJson::from(&created), &location))
}
