//! The id of a request, which a client may choose.

use std::fmt;
use std::sync::Arc;

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpRequest};
use uuid::Uuid;

use contact_hub_domain::ports::Ids;

/// The header with the id.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest request id that is accepted from a caller.
pub(crate) const MAX_REQUEST_ID: usize = 128;

/// The id of a request, which it keeps in its extensions.
#[derive(Clone)]
pub(crate) struct RequestId(Arc<str>);

impl RequestId {
    /// The client's id, or a new one.
    pub(crate) fn choose(request: &ServiceRequest, ids: &dyn Ids) -> Self {
        let sent = request.headers().get(&REQUEST_ID).and_then(|value| value.to_str().ok());
        let sent = sent.filter(|text| is_request_id(text.as_bytes()));
        let own = || Arc::from(&*ids.next().hyphenated().encode_lower(&mut Uuid::encode_buffer()));
        Self(sent.map_or_else(own, Arc::from))
    }

    /// The value of the header.
    pub(crate) fn header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.0).unwrap_or_else(|_ascii| HeaderValue::from_static("unknown"))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The id of a request.
pub(crate) fn request_id(request: &HttpRequest) -> Option<Arc<str>> {
    request.extensions().get::<RequestId>().map(|id| Arc::clone(&id.0))
}

fn is_request_id(value: &[u8]) -> bool {
    (1..=MAX_REQUEST_ID).contains(&value.len())
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
}
