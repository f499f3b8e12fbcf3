//! `GET /users/{id}/api-keys/{key_id}`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::ids::{ApiKeyId, UserId};

use super::json::ApiKeyJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    PathId(key_id): PathId<ApiKeyId>,
) -> Result<HttpResponse, ApiError> {
    let key = access::read_key(&caller.context(), user, key_id).await?;
    Ok(envelope::ok(&ApiKeyJson::from(&key)))
}
