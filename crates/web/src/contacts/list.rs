//! `GET /contacts`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::contacts;

use super::json::ContactJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::Caller;

pub(crate) async fn handle(caller: Caller, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let page = contacts::list(&caller.context(), request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(ContactJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
