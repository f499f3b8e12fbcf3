//! The form in which an answer is kept: a line with its status and headers, and its body.

use actix_web::HttpResponse;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, LOCATION,
};
use serde::{Deserialize, Serialize};

use contact_hub_domain::idempotency::MAX_KEPT_ANSWER;
use contact_hub_domain::violations::{Problem, Violations};

use crate::envelope::NO_STORE;
use crate::error::{ApiError, Code};
use crate::header_names::{IDEMPOTENCY_KEY, IDEMPOTENT_REPLAYED};

/// The headers that belong to the answer; the others belong to the call.
const KEPT: [HeaderName; 3] = [CONTENT_TYPE, LOCATION, ETAG];

#[derive(Serialize, Deserialize)]
struct Head {
    status: u16,
    /// The values of [`KEPT`].
    headers: [Option<String>; 3],
}

/// Takes the answer of a response. One that is too large is rejected, and so is the call.
pub(super) fn of(
    response: ServiceResponse<BoxBody>,
) -> Result<(ServiceResponse<BoxBody>, Vec<u8>), ApiError> {
    let value = |name: HeaderName| {
        response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    };
    let head = Head { status: response.status().as_u16(), headers: KEPT.map(value) };
    let mut answer = serde_json::to_vec(&head).map_err(|_never| Code::InternalError)?;
    answer.push(b'\n');
    let (request, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = body.try_into_bytes().map_err(|_streamed| Code::InternalError)?;
    if answer.len() + body.len() > MAX_KEPT_ANSWER {
        let sentence = format!(
            "cannot be used here: the answer is larger than the {MAX_KEPT_ANSWER} bytes that are kept"
        );
        return Err(Violations::one(IDEMPOTENCY_KEY, Problem::new(sentence)).into());
    }
    answer.extend_from_slice(&body);
    Ok((ServiceResponse::new(request, response.set_body(BoxBody::new(body))), answer))
}

/// The response with a kept answer; `None` if it has another form.
pub(super) fn replay(answer: &[u8]) -> Option<HttpResponse> {
    let end = answer.iter().position(|byte| *byte == b'\n')?;
    let (head, body) = answer.split_at(end);
    let head: Head = serde_json::from_slice(head).ok()?;
    let mut response = HttpResponse::build(StatusCode::from_u16(head.status).ok()?);
    response.insert_header((CACHE_CONTROL, NO_STORE));
    response.insert_header((IDEMPOTENT_REPLAYED, HeaderValue::from_static("true")));
    for (name, value) in KEPT.into_iter().zip(head.headers) {
        if let Some(value) = value {
            response.insert_header((name, value));
        }
    }
    let body = body.get(1..)?.to_vec();
    Some(if body.is_empty() { response.finish() } else { response.body(body) })
}
