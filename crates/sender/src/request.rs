//! The request of an attempt. The bytes that are signed are the bytes that are sent.

use contact_hub_domain::ids::EventId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Secret, signature_headers};
use reqwest::RequestBuilder;

/// The `User-Agent` of the service.
pub(crate) const USER_AGENT: &str = concat!("contact-hub/", env!("CARGO_PKG_VERSION"));

/// Names and values.
pub(crate) type SentHeaders = Vec<(&'static str, String)>;

/// The headers of the request for an event, signed with the current time.
pub(crate) fn signed_headers(
    event: EventId,
    at: Timestamp,
    secrets: &[Secret],
    payload: &str,
) -> SentHeaders {
    let mut headers = vec![
        ("content-type", "application/json".to_owned()),
        ("user-agent", USER_AGENT.to_owned()),
    ];
    headers.extend(signature_headers(event, at, secrets, payload.as_bytes()));
    headers
}

/// The request with these headers.
pub(crate) fn with_headers(request: RequestBuilder, headers: &SentHeaders) -> RequestBuilder {
    headers.iter().fold(request, |request, (name, value)| request.header(*name, value))
}
