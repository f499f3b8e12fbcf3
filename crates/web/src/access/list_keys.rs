//! `GET /users/{id}/api-keys`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::json::ApiKeyJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(user): PathId<UserId>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let page = access::list_keys(&caller.context(), user, request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(ApiKeyJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
