//! `DELETE /users/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::UserId;

use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(caller: Caller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = UserId::parse(id.as_str()).ok_or(AccessError::UserNotFound)?;
    access::delete_user(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
