//! The request of an attempt. The bytes that are signed are the bytes that are sent.

use contact_hub_domain::ids::EventId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Secret, signature_headers};
use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, USER_AGENT};
use url::Url;

/// The request for an event, signed with the current time.
pub(crate) fn signed(
    url: &Url,
    user_agent: &str,
    event: EventId,
    at: Timestamp,
    secrets: &[Secret],
    payload: &str,
) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
    let body = Bytes::copy_from_slice(payload.as_bytes());
    let mut request = Request::post(url.as_str())
        .header(CONTENT_TYPE, "application/json")
        .header(USER_AGENT, user_agent);
    for (name, value) in signature_headers(event, at, secrets, &body) {
        request = request.header(name, value);
    }
    request.body(Full::new(body))
}
