//! What a field holds, for schemas: types without a value, named where a wire shape has only text or raw JSON.

use std::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use contact_hub_domain::fields::{FieldType, MAX_STRING_VALUE};

/// A value of a field.
pub(crate) struct Scalar;

impl PartialSchema for Scalar {
    fn schema() -> RefOr<Schema> {
        let types = [Type::String, Type::Number, Type::Boolean];
        scalar(&types, "A value of the field's type; a number with every digit that was sent")
    }
}

impl ToSchema for Scalar {
    fn name() -> Cow<'static, str> {
        "Scalar".into()
    }
}

/// What a request gives for a field.
pub(super) fn scalar_input() -> RefOr<Schema> {
    let types = [Type::String, Type::Number, Type::Boolean, Type::Null];
    scalar(
        &types,
        "Of the field's type, nothing is coerced: `string` a string, `number` a number, `boolean` true or false, `date` \
         a string `YYYY-MM-DD`, `datetime` an RFC 3339 string with an offset. Null leaves the field without a value.",
    )
}

fn scalar(types: &[Type], description: &str) -> RefOr<Schema> {
    let types: SchemaType = types.iter().cloned().collect();
    let scalar = ObjectBuilder::new().schema_type(types).max_length(Some(MAX_STRING_VALUE));
    Schema::from(scalar.description(Some(description))).into()
}

/// The name of a field's type.
pub(crate) struct FieldTypeName;

impl PartialSchema for FieldTypeName {
    fn schema() -> RefOr<Schema> {
        let names = FieldType::ALL.map(FieldType::as_str);
        let name = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
        Schema::from(name).into()
    }
}

impl ToSchema for FieldTypeName {
    fn name() -> Cow<'static, str> {
        "FieldType".into()
    }
}
