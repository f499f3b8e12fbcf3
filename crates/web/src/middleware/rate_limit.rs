//! The headers by which a client learns its limit.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use metrics::counter;

use contact_hub_domain::access::{Bucket, RateLimitState, WINDOW_SECONDS};

/// Sets the limit in the customary headers and in those of the IETF draft "`RateLimit` header fields for HTTP".
pub(super) fn tell(headers: &mut HeaderMap, bucket: Bucket, rate_limit: &RateLimitState) {
    let RateLimitState { quota, remaining, wait_seconds, .. } = *rate_limit;
    // Rounded up, so that a client that waits until then is admitted.
    let reset = rate_limit.reset_at.micros().saturating_add(999_999).div_euclid(1_000_000);
    let name = bucket.as_str();
    let mut set = |header: &'static str, value: String| {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(header), value);
        }
    };
    set("x-ratelimit-limit", quota.to_string());
    set("x-ratelimit-remaining", remaining.to_string());
    set("x-ratelimit-reset", reset.to_string());
    set("ratelimit-policy", format!("\"{name}\";q={quota};w={WINDOW_SECONDS}"));
    set("ratelimit", format!("\"{name}\";r={remaining};t={wait_seconds}"));
}

/// Counts a rejection.
pub(crate) fn count_refusal(bucket: Bucket) {
    counter!("contact_hub_http_requests_refused_total", "limit" => bucket.as_str()).increment(1);
}
