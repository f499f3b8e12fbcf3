//! The headers of answers, each described once and referred to by its name.

use serde_json::{Value, json};
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{Ref, Schema};

use contact_hub_domain::access::WINDOW_SECONDS;

use crate::request_id::MAX_REQUEST_ID;

/// On every answer, errors included. The headers of the limit are absent if the operator switched the limit off.
const ALWAYS: [&str; 6] = [
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "RateLimit",
    "RateLimit-Policy",
];

/// The answer with the headers that every answer has.
pub(super) fn always(response: ResponseBuilder) -> ResponseBuilder {
    ALWAYS.into_iter().fold(response, with)
}

/// The answer with one more header.
pub(super) fn with(response: ResponseBuilder, name: &str) -> ResponseBuilder {
    response.header_ref(name, reference(name))
}

/// Refers to a header.
pub(super) fn reference(name: &str) -> Ref {
    Ref::new(format!("#/components/headers/{name}"))
}

/// Every header by its name.
pub(super) fn all() -> Vec<(&'static str, Header)> {
    let mut headers = limits();
    headers.push(replayed());
    let id = format!("^[A-Za-z0-9._-]{{1,{MAX_REQUEST_ID}}}$");
    headers.extend([
        (
            "X-Request-Id",
            header(
                "The call in the service's logs: the request's own `X-Request-Id` when it fits the pattern, else a new one",
                text().pattern(Some(id)),
                json!("01931e3a-7c00-7000-8000-0000000000ff"),
            ),
        ),
        (
            "ETag",
            header(
                "The version, for `If-None-Match` and `If-Match`",
                text().pattern(Some("^\"[0-9a-f]+(-[0-9a-f]+)?\"$")),
                json!("\"64d7c8f1a2b40\""),
            ),
        ),
        (
            "Location",
            header(
                "Where it now is",
                text().format(Some(SchemaFormat::Custom("uri-reference".to_owned()))),
                json!("/api/public/v1/contacts/01931e3a-7c00-7000-8000-0000000000ab"),
            ),
        ),
        (
            "Retry-After",
            header("Whole seconds; waiting that long is enough", count(1), json!(2)),
        ),
        (
            "WWW-Authenticate",
            header("How to authenticate", text().enum_values(Some(["Bearer"])), json!("Bearer")),
        ),
    ]);
    headers
}

fn replayed() -> (&'static str, Header) {
    let description =
        "On an answer that was given before to the same call with the same `Idempotency-Key`";
    let header = header(description, text().enum_values(Some(["true"])), json!("true"));
    ("Idempotent-Replayed", header)
}

fn limits() -> Vec<(&'static str, Header)> {
    vec![
        (
            "X-RateLimit-Limit",
            header("How many calls a minute the window admits", count(1), json!(1000)),
        ),
        ("X-RateLimit-Remaining", header("How many more it admits now", count(0), json!(999))),
        (
            "X-RateLimit-Reset",
            header("When it next admits more, in epoch seconds", count(0), json!(1_795_167_060)),
        ),
        (
            "RateLimit",
            header(
                "The bucket, how many more calls it admits (`r`) and in how many seconds it admits one (`t`)",
                text(),
                json!("\"standard\";r=999;t=0"),
            ),
        ),
        (
            "RateLimit-Policy",
            header(
                "The bucket, its quota (`q`) and its window in seconds (`w`)",
                text(),
                json!(format!("\"standard\";q=1000;w={WINDOW_SECONDS}")),
            ),
        ),
    ]
}

pub(super) fn header(description: &str, schema: ObjectBuilder, example: Value) -> Header {
    HeaderBuilder::new()
        .schema(Some(Schema::from(schema)))
        .description(Some(description))
        .example(Some(example))
        .build()
}

pub(super) fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

fn count(least: usize) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(least))
}
