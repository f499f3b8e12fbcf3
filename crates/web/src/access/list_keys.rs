//! `GET /users/{id}/api-keys`

use actix_web::HttpResponse;

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;
use contact_hub_domain::page::PageRequest;

use super::json::ApiKeyJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    Asked(page): Asked<PageRequest>,
) -> Result<HttpResponse, ApiError> {
    let page = access::list_keys(&caller.context(), user, page).await?;
    let data: Vec<_> = page.items.iter().map(ApiKeyJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
