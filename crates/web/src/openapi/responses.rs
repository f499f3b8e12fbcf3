//! What operations answer: their own success, and the errors that all operations of their kind share.

use std::collections::BTreeMap;

use serde_json::json;
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::response::{ResponseBuilder, Responses, ResponsesBuilder};
use utoipa::openapi::schema::OneOfBuilder;
use utoipa::openapi::{ContentBuilder, RefOr};

use contact_hub_domain::violations::{Problem, Violations};

use super::response::{empty, with_content};
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
    let beside_violations = by_status.remove(&422).unwrap_or_default();
    for (status, codes) in by_status {
        let status = status.to_string();
        let error = application_error(&codes, schemas).build();
        let error = match codes.as_slice() {
            [code] if !is_kept(&status) => schemas.response(code.as_str(), error),
            _ => RefOr::T(error),
        };
        responses = responses.response(status, error);
    }
    let limited = rate_limit_error(schemas).build();
    responses = responses.response("429", schemas.response(RATE_LIMITED, limited));
    if taken.is_validated() {
        responses = responses.response("422", validation_errors(&beside_violations, schemas));
    }
    responses.build()
}

/// Adds the header of answers that were given before to those that are kept.
pub(super) fn add_replayed(responses: &mut Responses) {
    for (status, response) in &mut responses.responses {
        if let RefOr::T(response) = response
            && is_kept(status)
        {
            let header = headers::reference("Idempotent-Replayed");
            response.headers.insert("Idempotent-Replayed".to_owned(), RefOr::Ref(header));
        }
    }
}

/// Whether an answer with this status is kept for repeated calls. The others are the same for all operations.
fn is_kept(status: &str) -> bool {
    const NOT_KEPT: [&str; 5] = ["401", "403", "408", "413", "429"];
    !status.starts_with('5') && !NOT_KEPT.contains(&status)
}

fn application_error(codes: &[Code], schemas: &mut Schemas) -> ResponseBuilder {
    let content = ContentBuilder::new()
        .schema(Some(envelopes::application_error(codes, schemas)))
        .examples_from_iter(examples(codes))
        .build();
    let response = empty(&names(codes)).content("application/json", content);
    let may_wait = [Code::ServiceUnavailable, Code::IdempotencyKeyInUse];
    match codes {
        [Code::Unauthenticated] => headers::with(response, "WWW-Authenticate"),
        _ if codes.iter().any(|code| may_wait.contains(code)) => {
            headers::with(response, "Retry-After")
        }
        _ => response,
    }
}

fn rate_limit_error(schemas: &mut Schemas) -> ResponseBuilder {
    let schema = envelopes::rate_limit_error(schemas);
    let example =
        json!({"message": "Too many calls; try again in 2 seconds.", "type": RATE_LIMITED});
    headers::with(with_content("Too many calls", schema, example), "Retry-After")
}

/// The violations, or one of these codes.
fn validation_errors(codes: &[Code], schemas: &mut Schemas) -> ResponseBuilder {
    let example = json!({
        "error_at": "2026-11-20T09:30:00+00:00",
        "errors": [{
            "identifier": "ValidationError",
            "details": Violations::one("email", Problem::new("is required")).summary(),
            "meta": {"email": ["is required"]},
        }],
    });
    let schema = envelopes::validation_errors(schemas);
    let description = "What is wrong, by field";
    if codes.is_empty() {
        return with_content(description, schema, example);
    }
    let violations = ("ValidationErrors", ExampleBuilder::new().value(Some(example)).build());
    let content = ContentBuilder::new()
        .schema(Some(
            OneOfBuilder::new().item(schema).item(envelopes::application_error(codes, schemas)),
        ))
        .examples_from_iter(std::iter::once(violations).chain(examples(codes)))
        .build();
    let description = format!("{description}, or {}", names(codes));
    empty(&description).content("application/json", content)
}

fn names(codes: &[Code]) -> String {
    codes.iter().map(|code| code.as_str()).collect::<Vec<_>>().join(", ")
}

fn examples(codes: &[Code]) -> impl Iterator<Item = (&'static str, Example)> {
    codes.iter().map(|code| {
        let body = json!({"error": {"code": code.as_str(), "message": code.message()}});
        (code.as_str(), ExampleBuilder::new().value(Some(body)).build())
    })
}
