//! `PATCH /users/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::UserId;

use super::json::{UserJson, user_change};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    id: PathId,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let change = user_change(&body.object()?);
    let id = UserId::parse(id.as_str()).ok_or(AccessError::UserNotFound)?;
    let user = access::change_user(&caller.context(), id, change).await?;
    Ok(envelope::ok(&UserJson::from(&user)))
}
