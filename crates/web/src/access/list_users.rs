//! `GET /users`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::access;

use super::json::UserJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::Caller;

pub(crate) async fn handle(caller: Caller, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let page = access::list_users(&caller.context(), request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(UserJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
