//! Authenticates and authorizes the caller of a route, before the body is read.

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};

use contact_hub_domain::access::{
    Authenticated, Bucket, KeyHolder, Need, RateLimitState, authenticate_api_request,
};

use super::rate_limit;
use crate::error::{ApiError, Code};
use crate::origin::Origin;
use crate::state::WebState;

/// Passes a request on if its caller is authenticated, within the rate limit and permitted, and stores the caller in the
/// request. Every answer to a limited call has the headers of the limit.
pub(crate) async fn guard(
    need: Need,
    bucket: Bucket,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let (rate_limit, checked) = check(&request, need, bucket).await;
    let mut response = match checked {
        Ok(holder) => {
            contact_hub_traces::note_company(holder.caller.company.id.uuid());
            request.extensions_mut().insert(holder);
            next.call(request).await?.map_into_left_body()
        }
        Err(error) => request.error_response(error).map_into_right_body(),
    };
    if let Some(rate_limit) = rate_limit {
        rate_limit::tell(response.headers_mut(), bucket, &rate_limit);
    }
    Ok(response)
}

/// Checks in this order: 401, 429, 403.
async fn check(
    request: &ServiceRequest,
    need: Need,
    bucket: Bucket,
) -> (Option<RateLimitState>, Result<Arc<KeyHolder>, ApiError>) {
    let Some(state) = request.app_data::<web::Data<WebState>>() else {
        return (None, Err(Code::InternalError.into()));
    };
    let address = Origin::of(request.request()).address;
    let Authenticated { rate_limit, holder } =
        authenticate_api_request(&state.ports.access, bearer(request.headers()), address, bucket)
            .await;
    let permitted = holder.and_then(|holder| {
        holder.caller.meet(need)?;
        Ok(holder)
    });
    let checked = permitted.map_err(ApiError::from);
    if matches!(checked, Err(ApiError::RateLimited(_))) {
        rate_limit::count_refusal(bucket);
    }
    (rate_limit, checked)
}

/// The token of `Authorization: Bearer <token>`, the scheme's name in any case (RFC 9110, section 11.1).
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut headers = headers.get_all(AUTHORIZATION);
    let value = headers.next()?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let single = headers.next().is_none();
    (single && scheme.eq_ignore_ascii_case("bearer")).then(|| token.trim())
}
