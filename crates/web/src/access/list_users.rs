//! `GET /users`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::page::PageRequest;

use super::json::UserJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller};

pub(crate) async fn handle(
    caller: Caller,
    Asked(page): Asked<PageRequest>,
) -> Result<HttpResponse, ApiError> {
    let page = access::list_users(&caller.context(), page).await?;
    let data: Vec<_> = page.items.iter().map(UserJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
