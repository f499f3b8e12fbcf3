//! `DELETE /users/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<UserId>,
) -> Result<HttpResponse, ApiError> {
    access::delete_user(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
