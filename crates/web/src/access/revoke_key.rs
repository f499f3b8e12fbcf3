//! `DELETE /users/{id}/api-keys/{key_id}`

use actix_web::HttpResponse;

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::{ApiKeyId, UserId};

use crate::error::ApiError;
use crate::extract::{Caller, PathId, PathKeyId};

pub(crate) async fn handle(
    caller: Caller,
    id: PathId,
    key_id: PathKeyId,
) -> Result<HttpResponse, ApiError> {
    let user = UserId::parse(id.as_str()).ok_or(AccessError::UserNotFound)?;
    let key_id = ApiKeyId::parse(key_id.as_str()).ok_or(AccessError::ApiKeyNotFound)?;
    access::revoke_key_of(&caller.context(), user, key_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
