//! What operations answer: their own success, and the errors that their shape brings with it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::response::{ResponseBuilder, Responses, ResponsesBuilder};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Schema};

use contact_hub_domain::violations::{Problem, Violations};

use super::success::Success;
use super::{examples, headers};
use crate::error::{Code, RATE_LIMITED};

/// Errors of every operation behind a key.
pub(super) const SHARED: [Code; 4] =
    [Code::Unauthenticated, Code::AccessDenied, Code::ServiceUnavailable, Code::InternalError];

/// Errors of every operation with a body.
pub(super) const WITH_BODY: [Code; 3] =
    [Code::RequestTimeout, Code::PayloadTooLarge, Code::UnsupportedMediaType];

/// Every response of an operation.
pub(super) fn of(
    success: &Success,
    errors: &[Code],
    has_body: bool,
    is_validated: bool,
) -> Responses {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    let with_body = WITH_BODY.iter().filter(|_| has_body);
    for code in SHARED.iter().chain(errors).chain(with_body) {
        by_status.entry(code.status().as_u16()).or_default().push(*code);
    }
    let mut responses = succeed(ResponsesBuilder::new(), success);
    for (status, codes) in by_status {
        responses = responses.response(status.to_string(), application_error(&codes));
    }
    responses = responses.response("429", rate_limit_error());
    if is_validated {
        responses = responses.response("422", validation_errors());
    }
    responses.build()
}

fn succeed(responses: ResponsesBuilder, success: &Success) -> ResponsesBuilder {
    let one = |schema: &str| data(Ref::from_schema_name(schema));
    let list = |schema: &str| data(ArrayBuilder::new().items(Ref::from_schema_name(schema)));
    let built = |description: &str, content: ObjectBuilder| {
        with_content(description, content, examples::answer(success))
    };
    match success {
        Success::Created(schema) => {
            responses.response("201", headers::with(built("Created", one(schema)), "Location"))
        }
        Success::CreatedVersion(schema) => {
            let response = headers::with(built("Created", one(schema)), "Location");
            responses.response("201", headers::with(response, "ETag"))
        }
        Success::Accepted(schema) => responses.response("202", built("Accepted", one(schema))),
        Success::One(schema) => responses.response("200", built("Done", one(schema))),
        Success::List(schema) => responses.response("200", built("All of them", list(schema))),
        Success::Page(schema) => {
            let page =
                list(schema).property("meta", Ref::from_schema_name("PageMeta")).required("meta");
            responses.response("200", built("One page", page))
        }
        Success::Versioned(schema) => not_modified(responses, built("As it is now", one(schema))),
        Success::VersionedList(schema) => {
            not_modified(responses, built("As they are now", list(schema)))
        }
        Success::Replaced(schema) => {
            responses.response("200", headers::with(built("As they are now", list(schema)), "ETag"))
        }
        Success::Nothing => responses.response("204", empty("Done")),
    }
}

fn not_modified(responses: ResponsesBuilder, response: ResponseBuilder) -> ResponsesBuilder {
    let unchanged = empty("Unchanged since If-None-Match");
    responses
        .response("200", headers::with(response, "ETag"))
        .response("304", headers::with(unchanged, "ETag"))
}

/// `{"data": …}`
fn data(payload: impl Into<RefOr<Schema>>) -> ObjectBuilder {
    ObjectBuilder::new().property("data", payload).required("data")
}

fn empty(description: &str) -> ResponseBuilder {
    headers::always(ResponseBuilder::new().description(description))
}

fn with_content(
    description: &str,
    schema: impl Into<RefOr<Schema>>,
    example: Option<Value>,
) -> ResponseBuilder {
    let content = ContentBuilder::new().schema(Some(schema)).example(example).build();
    empty(description).content("application/json", content)
}

fn application_error(codes: &[Code]) -> ResponseBuilder {
    let names: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    let examples = codes.iter().map(|code| {
        let body = json!({"error": {"code": code.as_str(), "message": code.message()}});
        (code.as_str(), ExampleBuilder::new().value(Some(body)).build())
    });
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("ApplicationError")))
        .examples_from_iter(examples)
        .build();
    let response = empty(&names.join(", ")).content("application/json", content);
    match codes {
        [Code::Unauthenticated] => headers::with(response, "WWW-Authenticate"),
        [Code::ServiceUnavailable] => headers::with(response, "Retry-After"),
        _ => response,
    }
}

fn rate_limit_error() -> ResponseBuilder {
    let schema = Ref::from_schema_name("RateLimitError");
    let example =
        json!({"message": "Too many calls; try again in 2 seconds.", "type": RATE_LIMITED});
    headers::with(with_content("Too many calls", schema, Some(example)), "Retry-After")
}

fn validation_errors() -> ResponseBuilder {
    let example = json!({
        "error_at": "2026-11-20T09:30:00+00:00",
        "errors": [{
            "identifier": "ValidationError",
            "details": Violations::one("email", Problem::new("is required")).summary(),
            "meta": {"email": ["is required"]},
        }],
    });
    let schema = Ref::from_schema_name("ValidationErrors");
    with_content("What is wrong, by field", schema, Some(example))
}
