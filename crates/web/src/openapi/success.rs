//! How an operation succeeds.

use serde_json::{Value, json};
use utoipa::openapi::ContentBuilder;
use utoipa::openapi::response::{ResponseBuilder, ResponsesBuilder};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};

use super::headers;
use super::response::{empty, with_content};
use super::shape::{Schemas, Shape, nullable, string};
use crate::envelope::{CursorMeta, Meta, Next};

/// The success of an operation, with the shape of its payload.
#[derive(Clone, Copy)]
pub(crate) enum Success {
    Created(Shape),
    CreatedVersion(Shape),
    Accepted(Shape),
    One(Shape),
    List(Shape),
    Page(Shape),
    Feed(Shape),
    Log(Shape),
    /// A page that is found in any way.
    AnyPage(Shape),
    LookedUp(Shape),
    /// Lines of JSON of this shape, or CSV.
    Exported(Shape),
    Versioned(Shape),
    VersionedList(Shape),
    Replaced(Shape),
    Changed(Shape),
    Nothing,
}

/// How the payload is wrapped.
#[derive(PartialEq, Eq)]
enum Form {
    One,
    List,
    Page,
    Feed,
    Log,
    AnyPage,
    LookedUp,
}

impl Success {
    /// Adds the responses.
    pub(super) fn describe(
        self,
        responses: ResponsesBuilder,
        schemas: &mut Schemas,
    ) -> ResponsesBuilder {
        use Form::{AnyPage, Feed, List, Log, LookedUp, One, Page};
        let (status, description, form, shape, headers): (_, _, _, _, &[&str]) = match self {
            Self::Created(shape) => ("201", "Created", One, shape, &["Location"]),
            Self::CreatedVersion(shape) => ("201", "Created", One, shape, &["Location", "ETag"]),
            Self::Accepted(shape) => ("202", "Accepted", One, shape, &[]),
            Self::One(shape) => ("200", "Done", One, shape, &[]),
            Self::List(shape) => ("200", "All of them", List, shape, &[]),
            Self::Page(shape) => ("200", "One page", Page, shape, &[]),
            Self::Feed(shape) => ("200", "Entries in their order", Feed, shape, &[]),
            Self::Log(shape) => ("200", "The newest entries first", Log, shape, &[]),
            Self::AnyPage(shape) => ("200", "One page", AnyPage, shape, &[]),
            Self::LookedUp(shape) => ("200", "What was found", LookedUp, shape, &[]),
            Self::Exported(shape) => return responses.response("200", exported(shape, schemas)),
            Self::Versioned(shape) | Self::Changed(shape) => {
                ("200", "As it is now", One, shape, &["ETag"])
            }
            Self::VersionedList(shape) | Self::Replaced(shape) => {
                ("200", "As they are now", List, shape, &["ETag"])
            }
            Self::Nothing => return responses.response("204", empty("Done")),
        };
        let (schema, example) = envelope(&form, shape, schemas);
        let response = with_content(description, schema, example);
        let response =
            headers.iter().fold(response, |response, name| headers::with(response, name));
        let responses = responses.response(status, response);
        if !matches!(self, Self::Versioned(_) | Self::VersionedList(_)) {
            return responses;
        }
        responses.response("304", headers::with(empty("Unchanged since If-None-Match"), "ETag"))
    }
}

/// The schema of the body, and its example.
fn envelope(form: &Form, shape: Shape, schemas: &mut Schemas) -> (ObjectBuilder, Value) {
    let (schema, example) = ((shape.schema)(schemas), (shape.example)());
    let body = ObjectBuilder::new().required("data");
    if *form == Form::One {
        return (body.property("data", schema), json!({"data": example}));
    }
    let body = body.property("data", ArrayBuilder::new().items(schema));
    if *form == Form::List {
        return (body, json!({"data": [example]}));
    }
    if *form == Form::Log {
        let body = body.property("meta", schemas.of::<CursorMeta>()).required("meta");
        return (body, json!({"data": [example], "meta": {"per_page": 25, "next": null}}));
    }
    if *form == Form::Feed {
        let body = body.property("meta", schemas.of::<Next<'_>>()).required("meta");
        let meta = json!({"next": "AAAAAAAAAAcAAAAAyfUafw"});
        return (body, json!({"data": [example], "meta": meta}));
    }
    let meta = json!({
        "current_page": 1, "per_page": 25, "total": 1, "last_page": 1, "from": 1, "to": 1,
    });
    if *form == Form::LookedUp {
        let missing = ArrayBuilder::new().items(string());
        let meta = ObjectBuilder::new().property("missing", missing).required("missing");
        let body = body.property("meta", schemas.add("LookupMeta", meta)).required("meta");
        return (body, json!({"data": [example], "meta": {"missing": ["bob@example.com"]}}));
    }
    let described = match form {
        Form::AnyPage => schemas.add("ContactsPageMeta", any_meta()),
        _ => schemas.of::<Meta>(),
    };
    (body.property("meta", described).required("meta"), json!({"data": [example], "meta": meta}))
}

fn exported(shape: Shape, schemas: &mut Schemas) -> ResponseBuilder {
    let lines = ContentBuilder::new().schema(Some((shape.schema)(schemas)));
    let csv = "id,email,first_name,last_name,avatar_url,created_at,updated_at,jobTitle\r\n";
    let csv = ContentBuilder::new().schema(Some(string())).example(Some(csv.into()));
    empty("All of them, one on each line")
        .content("application/x-ndjson", lines.example(Some((shape.example)())).build())
        .content("text/csv", csv.build())
}

/// A list of contacts is read by the numbers of its pages, with or without a total, or by cursors. One schema describes
/// the three, since many generators of clients do not support a choice of objects with members that are always null.
fn any_meta() -> ObjectBuilder {
    let integer =
        |minimum: u32| ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(minimum));
    let counted = || nullable(Type::Integer).description(Some("Null with `page[total]=false`"));
    let next = nullable(Type::String).description(Some(
        "The `page[after]` of the next page; null on the page with the last item",
    ));
    ObjectBuilder::new()
        .property("per_page", integer(1))
        .required("per_page")
        .property("current_page", integer(1))
        .property("total", counted().minimum(Some(0)))
        .property("last_page", counted().minimum(Some(1)))
        .property("from", integer(0))
        .property("to", integer(0))
        .property("next", next)
        .description(Some("With `page[after]` only `per_page` and `next`, else all but `next`"))
}
