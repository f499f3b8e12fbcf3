//! `GET /users/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::json::UserJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<UserId>,
) -> Result<HttpResponse, ApiError> {
    let user = access::read_user(&caller.context(), id).await?;
    Ok(envelope::ok(&UserJson::from(&user)))
}
