//! `PATCH /users/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::json::{UserJson, user_change};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<UserId>,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let change = user_change(&body.object()?);
    let user = access::change_user(&caller.context(), id, change).await?;
    Ok(envelope::ok(&UserJson::from(&user)))
}
