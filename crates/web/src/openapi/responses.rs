//! What operations answer: their own success, and the errors that their shape brings with it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::response::{Response, ResponseBuilder, Responses, ResponsesBuilder};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Schema};

use crate::error::Code;

/// The success of an operation, with the schema of its payload.
pub(super) enum Success {
    Created(&'static str),
    One(&'static str),
    List(&'static str),
    Page(&'static str),
    Versioned(&'static str),
    VersionedList(&'static str),
    Replaced(&'static str),
    Nothing,
}

/// Errors of every operation behind a key.
const SHARED: [Code; 4] =
    [Code::Unauthenticated, Code::AccessDenied, Code::ServiceUnavailable, Code::InternalError];

/// Every response of an operation.
pub(super) fn of(success: &Success, errors: &[Code], has_body: bool, is_judged: bool) -> Responses {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    let with_body = [Code::PayloadTooLarge, Code::UnsupportedMediaType];
    let with_body = with_body.iter().filter(|_| has_body);
    for code in SHARED.iter().chain(errors).chain(with_body) {
        by_status.entry(code.status().as_u16()).or_default().push(*code);
    }
    let mut responses = succeed(ResponsesBuilder::new(), success);
    for (status, codes) in by_status {
        responses = responses.response(status.to_string(), application_error(&codes));
    }
    responses = responses.response("429", rate_limit_error());
    if is_judged {
        let response =
            with_content("What is wrong, by field", Ref::from_schema_name("ValidationErrors"));
        responses = responses.response("422", response.build());
    }
    responses.build()
}

fn succeed(responses: ResponsesBuilder, success: &Success) -> ResponsesBuilder {
    let one = |schema: &str| data(Ref::from_schema_name(schema));
    let list = |schema: &str| data(ArrayBuilder::new().items(Ref::from_schema_name(schema)));
    let built = |description: &str, content: ObjectBuilder| with_content(description, content);
    match success {
        Success::Created(schema) => responses.response(
            "201",
            built("Created", one(schema)).header("Location", header("Where it now is")),
        ),
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
            responses.response("200", tagged(built("As they are now", list(schema))))
        }
        Success::Nothing => {
            responses.response("204", limited(ResponseBuilder::new().description("Done")))
        }
    }
}

fn not_modified(responses: ResponsesBuilder, response: ResponseBuilder) -> ResponsesBuilder {
    let unchanged = ResponseBuilder::new().description("Unchanged since If-None-Match");
    responses.response("200", tagged(response)).response("304", tagged(unchanged))
}

fn tagged(response: ResponseBuilder) -> ResponseBuilder {
    response.header("ETag", header("The version, for If-None-Match and If-Match"))
}

fn header(description: &str) -> utoipa::openapi::Header {
    let text = ObjectBuilder::new().schema_type(Type::String);
    HeaderBuilder::new().schema(Some(text)).description(Some(description)).build()
}

/// `{"data": …}`
fn data(payload: impl Into<RefOr<Schema>>) -> ObjectBuilder {
    ObjectBuilder::new().property("data", payload).required("data")
}

fn with_content(description: &str, schema: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    let content = ContentBuilder::new().schema(Some(schema)).build();
    limited(ResponseBuilder::new().description(description).content("application/json", content))
}

/// Every answer of a limited call tells the limit.
fn limited(response: ResponseBuilder) -> ResponseBuilder {
    response
        .header("X-RateLimit-Limit", header("How many calls a minute the window admits"))
        .header("X-RateLimit-Remaining", header("How many more it admits now"))
        .header("X-RateLimit-Reset", header("When it next admits more, in epoch seconds"))
}

fn application_error(codes: &[Code]) -> Response {
    let names: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    let example: Option<Value> = names
        .first()
        .map(|name| json!({"error": {"code": name, "message": "What happened, for people."}}));
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("ApplicationError")))
        .example(example)
        .build();
    ResponseBuilder::new()
        .description(names.join(", "))
        .content("application/json", content)
        .build()
}

fn rate_limit_error() -> Response {
    with_content("Too many calls", Ref::from_schema_name("RateLimitError"))
        .header("Retry-After", header("Whole seconds; waiting that long is enough"))
        .build()
}
