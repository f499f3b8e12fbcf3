//! `DELETE /users/{id}/api-keys/{key_id}`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::ids::{ApiKeyId, UserId};

use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    PathId(key_id): PathId<ApiKeyId>,
) -> Result<HttpResponse, ApiError> {
    access::revoke_key_of(&caller.context(), user, key_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
