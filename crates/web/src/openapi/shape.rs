//! Schemas, referred to by constants, and collected as operations refer to them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Response, Schema};

/// The body of a request or the payload of an answer: its schema and an example.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Adds the schema, and refers to it.
    pub(crate) schema: fn(&mut Schemas) -> Ref,
    pub(crate) example: fn() -> Value,
}

impl Shape {
    pub(crate) const fn new(schema: fn(&mut Schemas) -> Ref, example: fn() -> Value) -> Self {
        Self { schema, example }
    }
}

/// The schemas and responses that the document refers to, and the error codes that its operations answer with.
#[derive(Default)]
pub(crate) struct Schemas {
    pub(super) by_name: BTreeMap<String, RefOr<Schema>>,
    pub(super) responses: BTreeMap<String, Response>,
    pub(super) codes: BTreeSet<&'static str>,
}

impl Schemas {
    /// Adds the schema of a type with those that it refers to, and refers to it.
    pub(crate) fn of<T: ToSchema>(&mut self) -> Ref {
        let mut nested = Vec::new();
        T::schemas(&mut nested);
        self.by_name.extend(nested);
        self.add(&T::name(), T::schema())
    }

    /// Adds a schema that no type describes, and refers to it.
    pub(crate) fn add(&mut self, name: &str, schema: impl Into<RefOr<Schema>>) -> Ref {
        self.by_name.insert(name.to_owned(), schema.into());
        Ref::from_schema_name(name)
    }

    /// Adds a response that several operations share, and refers to it. Its name is that of the code, as generators
    /// name types.
    pub(super) fn response(&mut self, code: &str, response: Response) -> RefOr<Response> {
        let words = code.split('_').filter_map(|word| word.split_at_checked(1));
        let name: String = words
            .map(|(first, rest)| first.to_ascii_uppercase() + &rest.to_ascii_lowercase())
            .collect();
        let reference = Ref::from_response_name(&name);
        self.responses.insert(name, response);
        RefOr::Ref(reference)
    }
}

/// The members of both objects.
pub(crate) fn joined(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(mut other)) = (&mut one, other) {
        one.append(&mut other);
    }
    one
}

/// A text that is not empty once it is trimmed.
pub(crate) fn text(max: usize) -> ObjectBuilder {
    string().min_length(Some(1)).max_length(Some(max)).pattern(Some(r"\S"))
}

/// As [`text`], and without control characters except TAB.
pub(crate) fn name(max: usize) -> ObjectBuilder {
    text(max)
        .pattern(Some(r"^\s*[^\s\x00-\x08\x0A-\x1F\x7F-\x9F][^\x00-\x08\x0A-\x1F\x7F-\x9F]*\s*$"))
}

pub(crate) fn format(builder: ObjectBuilder, name: &str) -> ObjectBuilder {
    builder.format(Some(SchemaFormat::Custom(name.to_owned())))
}

pub(crate) fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

pub(crate) fn nullable(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::from_iter([kind, Type::Null]))
}

pub(crate) fn required(object: ObjectBuilder, names: &[&str]) -> ObjectBuilder {
    names.iter().fold(object, |object, name| object.required(*name))
}
