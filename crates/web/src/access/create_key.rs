//! `POST /users/{id}/api-keys`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::json::{CreatedKeyJson, key_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let (draft, cx) = (key_draft(&body.object_or_empty()?), caller.context());
    let created = access::create_key(cx.ports, Some(cx.caller.company.id), user, &draft).await?;
    let location = caller.manage_url(&format!("/users/{user}/api-keys/{}", created.key.id));
    Ok(envelope::created(&CreatedKeyJson::from(&created), &location))
}
