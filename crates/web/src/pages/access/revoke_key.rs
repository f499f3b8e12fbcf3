//! `POST /account/api-access/keys/{key}/revoke`, and `POST /admin/company/users/{id}/keys/{key}/revoke`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::{ApiKeyId, UserId};

use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn own(
    caller: PageCaller,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let me = caller.holder().caller.user_id;
    access::revoke_key_of(&caller.context(), me, key(&request)?).await?;
    Ok(respond::done(&caller, "/account/api-access", Notice::KeyRevoked))
}

pub(crate) async fn of_user(
    caller: PageCaller,
    id: PathId,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let id = UserId::parse(id.as_str()).ok_or(AccessError::UserNotFound)?;
    access::revoke_key_of(&caller.context(), id, key(&request)?).await?;
    let location = format!("/admin/company/users/{id}");
    Ok(respond::done(&caller, &location, Notice::KeyRevoked))
}

fn key(request: &HttpRequest) -> Result<ApiKeyId, ApiError> {
    let text = request.match_info().get("key").unwrap_or_default();
    Ok(ApiKeyId::parse(text).ok_or(AccessError::ApiKeyNotFound)?)
}
