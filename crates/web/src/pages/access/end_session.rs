//! `POST /account/sessions/{id}/end`

use actix_web::HttpResponse;

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::SessionId;

use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = SessionId::parse(id.as_str()).ok_or(AccessError::SessionNotFound)?;
    access::end_session(&caller.state().ports, caller.holder().session.user_id, id).await?;
    Ok(respond::done(&caller, "/account", Notice::SessionEnded))
}
