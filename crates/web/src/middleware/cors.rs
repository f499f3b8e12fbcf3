//! Calls from pages of other origins (the Fetch standard's CORS protocol), for the configured origins only.

use actix_cors::{Cors, CorsError};
use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderName,
    HeaderValue, IF_MATCH, IF_NONE_MATCH, LINK, LOCATION, ORIGIN, RETRY_AFTER,
};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;

use crate::endpoint::{DEPRECATION, SUNSET};
use crate::error::{ApiError, Code};
use crate::header_names::IDEMPOTENT_REPLAYED;
use crate::routes::allowed_by;
use crate::state::WebState;

/// How long a browser may remember the answer to a preflight, in seconds.
const PREFLIGHT_SECONDS: usize = 600;

/// Lets pages of the configured origins call every route and read every header that the service sets.
pub(crate) fn cors(state: &WebState) -> Cors {
    let named = HeaderName::from_static;
    let cors = Cors::default()
        .allowed_methods(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
        .allowed_headers([AUTHORIZATION, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH])
        .allowed_header(named("x-request-id"))
        .allowed_header(named("idempotency-key"))
        .expose_headers([ETAG, LINK, LOCATION, RETRY_AFTER])
        .expose_headers([DEPRECATION, SUNSET])
        .expose_headers(["x-request-id", IDEMPOTENT_REPLAYED, "ratelimit", "ratelimit-policy"])
        .expose_headers(["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"])
        .max_age(PREFLIGHT_SECONDS);
    state.cors_origins.iter().fold(cors, |cors, origin| cors.allowed_origin(origin))
}

/// Treats an OPTIONS request without an origin, or for a path that does not exist, as no preflight. The CORS middleware
/// would reject the one if it names a method, and accept the other. An accepted preflight is answered as every other OPTIONS
/// request: 204 with the methods that the path allows.
pub(crate) async fn preflights(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    if *request.method() != Method::OPTIONS {
        return next.call(request).await;
    }
    let allow = request.match_pattern().and_then(|path| allowed_by(&path));
    if allow.is_none() || !request.headers().contains_key(ORIGIN) {
        request.headers_mut().remove(ACCESS_CONTROL_REQUEST_METHOD);
    }
    let mut response = next.call(request).await?;
    if response.status() == StatusCode::OK
        && let Some(allow) = allow
    {
        *response.response_mut().status_mut() = StatusCode::NO_CONTENT;
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
    }
    Ok(response)
}

/// The error for a preflight that is refused.
pub(super) fn refused(error: &CorsError) -> ApiError {
    let message = match error {
        CorsError::OriginNotAllowed => {
            "Pages of this origin may not call the service; its operator can allow the origin."
        }
        CorsError::MethodNotAllowed => "Pages of other origins may not use this method.",
        CorsError::HeadersNotAllowed => "Pages of other origins may not send one of these headers.",
        _ => "The method or the headers that the preflight names are malformed.",
    };
    ApiError::new(Code::AccessDenied, message)
}
