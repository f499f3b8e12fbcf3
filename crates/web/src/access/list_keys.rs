//! `GET /users/{id}/api-keys`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::UserId;

use super::json::ApiKeyJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    id: PathId,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let user = UserId::parse(id.as_str()).ok_or(AccessError::UserNotFound)?;
    let page = access::list_keys(&caller.context(), user, request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(ApiKeyJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
