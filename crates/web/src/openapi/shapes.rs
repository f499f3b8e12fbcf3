//! What schemas are made of.

use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A schema and its name.
pub(super) type Named = (String, RefOr<Schema>);

/// Adds a wire shape with all that it refers to.
pub(super) fn add<T: ToSchema + PartialSchema>(name: &str, schemas: &mut Vec<Named>) {
    schemas.push((name.to_owned(), T::schema()));
    T::schemas(schemas);
}

/// A text that is not empty once it is trimmed.
pub(super) fn text(max: usize) -> ObjectBuilder {
    string().min_length(Some(1)).max_length(Some(max)).pattern(Some(r"\S"))
}

/// A text that moreover holds no control character but TAB.
pub(super) fn name(max: usize) -> ObjectBuilder {
    text(max)
        .pattern(Some(r"^\s*[^\s\x00-\x08\x0A-\x1F\x7F-\x9F][^\x00-\x08\x0A-\x1F\x7F-\x9F]*\s*$"))
}

pub(super) fn format(builder: ObjectBuilder, name: &str) -> ObjectBuilder {
    builder.format(Some(SchemaFormat::Custom(name.to_owned())))
}

pub(super) fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}
