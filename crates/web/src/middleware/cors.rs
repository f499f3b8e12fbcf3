//! Calls from pages of other origins (the Fetch standard's CORS protocol), for the configured origins only.

use actix_cors::Cors;
use actix_web::http::header::{
    AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderName, IF_MATCH, IF_NONE_MATCH, LINK, LOCATION,
    RETRY_AFTER,
};

use crate::endpoint::{DEPRECATION, SUNSET};
use crate::header_names::IDEMPOTENT_REPLAYED;
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
