//! Who may call a route: known, and permitted. It runs before the body is read.

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::AUTHORIZATION;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};

use contact_hub_domain::access::{KeyHolder, Permission, authenticate};

use crate::error::{ApiError, Code};
use crate::state::WebState;

/// Lets a request through whose caller has the permission, and leaves the caller with it.
pub(crate) async fn guard(
    permission: Permission,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    match permitted(&request, permission).await {
        Ok(holder) => {
            request.extensions_mut().insert(holder);
            next.call(request)
                .await
                .map(ServiceResponse::map_into_left_body)
        }
        Err(error) => Ok(request.error_response(error).map_into_right_body()),
    }
}

async fn permitted(
    request: &ServiceRequest,
    permission: Permission,
) -> Result<Arc<KeyHolder>, ApiError> {
    let holder = holder(request).await?;
    holder.caller.require(permission)?;
    Ok(holder)
}

async fn holder(request: &ServiceRequest) -> Result<Arc<KeyHolder>, ApiError> {
    let state = request
        .app_data::<web::Data<WebState>>()
        .ok_or(Code::InternalError)?;
    let token = bearer(request).ok_or(Code::Unauthenticated)?;
    Ok(authenticate(&state.ports, token).await?)
}

/// The token of `Authorization: Bearer <token>`, the scheme's name in any case (RFC 9110, section 11.1).
fn bearer(request: &ServiceRequest) -> Option<&str> {
    let mut headers = request.headers().get_all(AUTHORIZATION);
    let value = headers.next()?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let single = headers.next().is_none();
    (single && scheme.eq_ignore_ascii_case("bearer")).then(|| token.trim())
}
