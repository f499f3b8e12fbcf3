//! `GET /contacts`

use actix_web::HttpResponse;

use contact_hub_domain::contacts::{self, ListQuery};

use super::json::ContactJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller};

pub(crate) async fn handle(
    caller: Caller,
    Asked(query): Asked<ListQuery>,
) -> Result<HttpResponse, ApiError> {
    let page = contacts::list(&caller.context(), query).await?;
    let data: Vec<_> = page.items.iter().map(ContactJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
