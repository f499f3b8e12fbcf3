//! `POST /account/sessions/{id}/end`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::ids::SessionId;

use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<SessionId>,
) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    access::end_session(cx.ports, caller.holder().session.user_id, id, cx.call).await?;
    Ok(respond::done(&caller, "/account", Notice::SessionEnded))
}
