//! The request of an attempt. The bytes that are signed are the bytes that are sent.

use contact_hub_domain::ids::EventId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Secret, signature_headers};
use reqwest::RequestBuilder;
use reqwest::header::CONTENT_TYPE;

/// The request for an event, signed with the current time.
pub(crate) fn signed(
    request: RequestBuilder,
    event: EventId,
    at: Timestamp,
    secrets: &[Secret],
    payload: &str,
) -> RequestBuilder {
    let headers = signature_headers(event, at, secrets, payload.as_bytes());
    let request = request.header(CONTENT_TYPE, "application/json");
    let request =
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
    request.body(payload.to_owned())
}
