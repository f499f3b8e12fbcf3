//! The envelopes of errors. An error without an envelope of ours, of the router's or of a library, gets the one of its
//! status.

use actix_cors::CorsError;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{Error, HttpResponse};
use serde_json::{Map, Value, json};

use contact_hub_domain::ports::StoreError;
use contact_hub_domain::violations::Violations;

use super::cors;
use crate::envelope::NO_STORE;
use crate::error::{ApiError, Code, RATE_LIMITED};
use crate::state::WebState;
use crate::unavailable;

/// Puts the error of a response into its envelope, and keeps the headers.
pub(super) fn render(
    response: ServiceResponse<BoxBody>,
    state: &WebState,
) -> ServiceResponse<BoxBody> {
    let status = response.status();
    let foreign = status.is_client_error() || status.is_server_error();
    let is_empty = matches!(
        response.response().body().size(),
        actix_web::body::BodySize::None | actix_web::body::BodySize::Sized(0)
    );
    let own = match response.response().error() {
        Some(error) => Some(response_of(error, state)),
        None if foreign && is_empty => Some(envelope_of(&foreign_error(status), state)),
        None => None,
    };
    let Some(own) = own else { return response };
    let headers = response.headers().clone();
    let mut response = response.into_response(own);
    for (name, value) in headers {
        if !response.headers().contains_key(&name) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// The answer for an error.
pub(super) fn response_of(error: &Error, state: &WebState) -> HttpResponse {
    if let Some(error) = error.as_error::<CorsError>() {
        return envelope_of(&cors::refused(error), state);
    }
    match error.as_error::<ApiError>() {
        Some(error) => envelope_of(error, state),
        None => envelope_of(&foreign_error(error.as_response_error().status_code()), state),
    }
}

fn foreign_error(status: StatusCode) -> ApiError {
    match status {
        StatusCode::METHOD_NOT_ALLOWED => Code::MethodNotAllowed.into(),
        StatusCode::PAYLOAD_TOO_LARGE => Code::PayloadTooLarge.into(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType.into(),
        StatusCode::NOT_FOUND => Code::NotFound.into(),
        status if status.is_client_error() => ApiError::unreadable_body("could not be read"),
        _ => Code::InternalError.into(),
    }
}

fn envelope_of(error: &ApiError, state: &WebState) -> HttpResponse {
    log(error);
    let mut response = HttpResponse::build(error.status());
    response.insert_header((CACHE_CONTROL, NO_STORE));
    if let Some(wait) = error.retry_after() {
        response.insert_header((RETRY_AFTER, wait));
    }
    match error {
        ApiError::Application { code, message, .. } => {
            if *code == Code::Unauthenticated {
                response.insert_header((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
            }
            response.json(json!({"error": {"code": code.as_str(), "message": message}}))
        }
        ApiError::OpenSyncs { code, open } => {
            let open: Vec<String> = open.iter().map(ToString::to_string).collect();
            let (code, message) = (code.as_str(), code.message());
            response
                .json(json!({"error": {"code": code, "message": message, "open_sync_ids": open}}))
        }
        ApiError::RateLimited(rate_limit) => {
            let wait = rate_limit.wait_seconds;
            let message = format!("Too many calls; try again in {wait} seconds.");
            response.json(json!({"message": message, "type": RATE_LIMITED}))
        }
        ApiError::Validation(violations) => response.json(validation(violations, state)),
    }
}

fn validation(violations: &Violations, state: &WebState) -> Value {
    let meta: Map<String, Value> = violations
        .iter()
        .map(|(path, messages)| (path.to_owned(), Value::from(messages)))
        .collect();
    json!({
        "error_at": state.ports.environment.clock.now().to_seconds_text(),
        "errors": [{
            "identifier": "ValidationError",
            "details": violations.summary(),
            "meta": meta,
        }],
    })
}

/// An error is logged here and nowhere else. A client's mistake is not an error of the service, and is not logged.
pub(crate) fn log(error: &ApiError) {
    let ApiError::Application { code, cause, .. } = error else {
        return;
    };
    match (code, cause) {
        (Code::ServiceUnavailable, Some(cause)) => {
            unavailable::count(unavailable::STORE);
            tracing::warn!(cause = chain(cause), "the store is unavailable");
        }
        (Code::InternalError, Some(cause)) => {
            tracing::error!(cause = chain(cause), "the request failed");
        }
        (Code::InternalError, None) => tracing::error!("the request failed"),
        _ => {}
    }
}

fn chain(error: &StoreError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
