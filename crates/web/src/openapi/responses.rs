//! What operations answer: their own success, and the errors that all operations of their kind share.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::response::{ResponseBuilder, Responses, ResponsesBuilder};
use utoipa::openapi::{ContentBuilder, RefOr, Schema};

use contact_hub_domain::violations::{Problem, Violations};

use super::shape::Schemas;
use super::success::Success;
use super::{envelopes, headers};
use crate::endpoint::Taken;
use crate::error::{Code, RATE_LIMITED};

/// Errors of every operation behind a key.
const SHARED: [Code; 4] =
    [Code::Unauthenticated, Code::AccessDenied, Code::ServiceUnavailable, Code::InternalError];

/// Errors of every operation with a body.
const WITH_BODY: [Code; 3] =
    [Code::RequestTimeout, Code::PayloadTooLarge, Code::UnsupportedMediaType];

/// Every response of an operation.
pub(super) fn of(success: Success, taken: &Taken, schemas: &mut Schemas) -> Responses {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    let with_body = WITH_BODY.iter().filter(|_| taken.body.is_some());
    for code in SHARED.iter().chain(&taken.errors).chain(with_body) {
        by_status.entry(code.status().as_u16()).or_default().push(*code);
    }
    let mut responses = success.describe(ResponsesBuilder::new(), schemas);
    for (status, codes) in by_status {
        responses = responses.response(status.to_string(), application_error(&codes, schemas));
    }
    responses = responses.response("429", rate_limit_error(schemas));
    if taken.is_validated() {
        responses = responses.response("422", validation_errors(schemas));
    }
    responses.build()
}

pub(super) fn empty(description: &str) -> ResponseBuilder {
    headers::always(ResponseBuilder::new().description(description))
}

pub(super) fn with_content(
    description: &str,
    schema: impl Into<RefOr<Schema>>,
    example: Value,
) -> ResponseBuilder {
    let content = ContentBuilder::new().schema(Some(schema)).example(Some(example)).build();
    empty(description).content("application/json", content)
}

fn application_error(codes: &[Code], schemas: &mut Schemas) -> ResponseBuilder {
    let names: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    let examples = codes.iter().map(|code| {
        let body = json!({"error": {"code": code.as_str(), "message": code.message()}});
        (code.as_str(), ExampleBuilder::new().value(Some(body)).build())
    });
    let content = ContentBuilder::new()
        .schema(Some(envelopes::application_error(codes, schemas)))
        .examples_from_iter(examples)
        .build();
    let response = empty(&names.join(", ")).content("application/json", content);
    match codes {
        [Code::Unauthenticated] => headers::with(response, "WWW-Authenticate"),
        [Code::ServiceUnavailable] => headers::with(response, "Retry-After"),
        _ => response,
    }
}

fn rate_limit_error(schemas: &mut Schemas) -> ResponseBuilder {
    let schema = envelopes::rate_limit_error(schemas);
    let example =
        json!({"message": "Too many calls; try again in 2 seconds.", "type": RATE_LIMITED});
    headers::with(with_content("Too many calls", schema, example), "Retry-After")
}

fn validation_errors(schemas: &mut Schemas) -> ResponseBuilder {
    let example = json!({
        "error_at": "2026-11-20T09:30:00+00:00",
        "errors": [{
            "identifier": "ValidationError",
            "details": Violations::one("email", Problem::new("is required")).summary(),
            "meta": {"email": ["is required"]},
        }],
    });
    let schema = envelopes::validation_errors(schemas);
    with_content("What is wrong, by field", schema, example)
}
