//! `POST /users`

use actix_web::HttpResponse;

use contact_hub_domain::access;

use super::json::{UserJson, user_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let (draft, cx) = (user_draft(&body.object()?), caller.context());
    let user = access::create_user(cx.ports, cx.caller.company.id, &draft).await?;
    let location = caller.manage_url(&format!("/users/{}", user.id));
    Ok(envelope::created(&UserJson::from(&user), &location))
}
