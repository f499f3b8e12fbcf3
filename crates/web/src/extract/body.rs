//! The body of a request: its media type, its size, and that it is JSON.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use super::Object;
use super::arrival::{Arrival, Arrived, party};
use crate::endpoint::{Taken, Takes};
use crate::error::{ApiError, Code};

/// The largest body of most calls, in bytes.
pub(crate) const STANDARD_BODY: usize = 1 << 20;

/// The largest body of a bulk call, in bytes.
pub(crate) const BULK_BODY: usize = 16 << 20;

/// The largest body with an asset, in bytes.
pub(crate) const ASSET_BODY: usize = 4 << 20;

/// Processing a body takes about this many times its size in addition to the body: the decoded rows, the contacts, what
/// changes in the counts of values, and the statements with the driver's copies of their parameters.
const WEIGHT: usize = 5;

/// The text of a body of at most `LIMIT` bytes.
pub(crate) struct Body<const LIMIT: usize>(
    String,
    #[expect(dead_code, reason = "it counts as long as it is here")] Arrived,
);

impl<const LIMIT: usize> Body<LIMIT> {
    /// The JSON object that the body is.
    pub(crate) fn object(&self) -> Result<Object<'_>, ApiError> {
        Object::of_body(&self.0)
    }

    /// How many bytes decoding and validating take in addition to the body itself.
    pub(crate) const fn weight(&self) -> usize {
        self.0.len().saturating_mul(WEIGHT)
    }
}

impl<const LIMIT: usize> FromRequest for Body<LIMIT> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let headers = check_headers(request.headers());
        // The body of a call with an idempotency key was read before.
        let read = request.extensions_mut().remove::<Arrived>();
        let arrival = Arrival::of(request, party(request));
        let payload = payload.take();
        Box::pin(async move {
            headers?;
            let mut arrived = match read {
                Some(arrived) => arrived,
                None => arrival?.read(payload, LIMIT).await?,
            };
            let text = String::from_utf8(std::mem::take(&mut arrived.bytes))
                .map_err(|_not_utf8| ApiError::unreadable_body("must be JSON in UTF-8"))?;
            Ok(Self(text, arrived))
        })
    }
}

impl<const LIMIT: usize> Takes for Body<LIMIT> {
    fn describe(taken: &mut Taken) {
        taken.body = Some(LIMIT);
    }
}

/// A body that may be left out, since all its members are optional.
pub(crate) struct OptionalBody<const LIMIT: usize>(Body<LIMIT>);

impl<const LIMIT: usize> OptionalBody<LIMIT> {
    /// The JSON object that the body is, empty without a body.
    pub(crate) fn object(&self) -> Result<Object<'_>, ApiError> {
        let Body(text, _) = &self.0;
        Object::of_body(if text.trim().is_empty() { "{}" } else { text })
    }
}

impl<const LIMIT: usize> FromRequest for OptionalBody<LIMIT> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = Body::from_request(request, payload);
        Box::pin(async { body.await.map(Self) })
    }
}

impl<const LIMIT: usize> Takes for OptionalBody<LIMIT> {
    fn describe(taken: &mut Taken) {
        Body::<LIMIT>::describe(taken);
        taken.is_body_optional = true;
    }
}

fn check_headers(headers: &HeaderMap) -> Result<(), ApiError> {
    let encoded = headers
        .get(CONTENT_ENCODING)
        .is_some_and(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    let json = match headers.get(CONTENT_TYPE) {
        None => true,
        Some(value) => value.to_str().is_ok_and(is_json),
    };
    if encoded || !json {
        return Err(Code::UnsupportedMediaType.into());
    }
    Ok(())
}

/// `application/json` and `…+json` (RFC 6839), in UTF-8 when a character set is named.
fn is_json(content_type: &str) -> bool {
    let mut parts = content_type.split(';').map(|part| part.trim().to_ascii_lowercase());
    let essence = parts.next().unwrap_or_default();
    let names_json = essence == "application/json"
        || essence.split_once('/').is_some_and(|(kind, sub)| {
            !kind.is_empty() && sub.len() > "+json".len() && sub.ends_with("+json")
        });
    let in_utf8 = parts.all(|parameter| match parameter.strip_prefix("charset=") {
        Some(charset) => matches!(charset.trim_matches('"'), "utf-8" | "utf8"),
        None => true,
    });
    names_json && in_utf8
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn accepts_json_in_utf_8() {
        for taken in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/vnd.api+json;charset=\"utf-8\"",
            "application/json; profile=x",
        ] {
            assert!(is_json(taken), "{taken}");
        }
        for refused in [
            "",
            "text/json",
            "text/plain",
            "application/xml",
            "application/json; charset=latin1",
            "+json",
            "application/+json",
            "multipart/form-data",
        ] {
            assert!(!is_json(refused), "{refused}");
        }
    }
}
