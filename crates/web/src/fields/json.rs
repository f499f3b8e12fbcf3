//! How fields and values look on the wire.

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use contact_hub_domain::fields::{
    Field, FieldChangeDraft, FieldDraft, FieldValue, FieldValueEntry, Spelled,
};
use contact_hub_domain::input::Input;

use crate::extract::Object;
use crate::openapi::values::{FieldTypeName, FilterableName, Scalar};

/// A field.
#[derive(Serialize, ToSchema)]
#[schema(as = Field)]
pub(crate) struct FieldJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    key: &'a str,
    name: &'a str,
    #[schema(value_type = FieldTypeName)]
    r#type: &'static str,
    #[schema(format = "uuid")]
    directory_id: String,
    /// Whether it takes no new values.
    archived: bool,
    /// Whether contacts can be filtered and sorted by it.
    #[schema(value_type = FilterableName)]
    filterable: &'static str,
}

impl<'a> From<&'a Field> for FieldJson<'a> {
    fn from(field: &'a Field) -> Self {
        Self {
            id: field.id.to_string(),
            key: field.key.as_str(),
            name: &field.name,
            r#type: field.kind.as_str(),
            directory_id: field.directory_id.to_string(),
            archived: field.archived,
            filterable: field.filterable.as_str(),
        }
    }
}

/// A value with its field.
#[derive(Serialize, ToSchema)]
#[schema(as = FieldValueEntry)]
pub(crate) struct FieldValueJson<'a> {
    #[schema(value_type = String, format = "uuid")]
    field_id: Uuid,
    key: &'a str,
    name: &'a str,
    #[schema(value_type = FieldTypeName)]
    r#type: &'static str,
    /// A scalar of the field's type.
    #[schema(value_type = Scalar)]
    value: Shown<'a>,
}

impl<'a> From<FieldValueEntry<'a>> for FieldValueJson<'a> {
    fn from(entry: FieldValueEntry<'a>) -> Self {
        Self {
            field_id: entry.field.id.uuid(),
            key: entry.field.key.as_str(),
            name: &entry.field.name,
            r#type: entry.field.kind.as_str(),
            value: Shown(entry.value),
        }
    }
}

/// A value in its own spelling; a parsed number would lose digits.
pub(crate) struct Shown<'a>(pub(crate) &'a FieldValue);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.spelled() {
            Spelled::Text(text) => text.serialize(serializer),
            Spelled::Boolean(value) => value.serialize(serializer),
            Spelled::Number(number) => {
                let number: &RawValue = serde_json::from_str(number).map_err(S::Error::custom)?;
                number.serialize(serializer)
            }
        }
    }
}

/// A value as text.
pub(crate) fn text_of(value: &FieldValue) -> String {
    match value.shown() {
        Input::Text(text) | Input::Number(text) => text,
        other => other.to_json(),
    }
}

/// Decodes a change of a field.
pub(crate) fn field_change(body: &Object<'_>) -> FieldChangeDraft {
    FieldChangeDraft {
        name: body.input("name"),
        archived: body.input("archived"),
        filterable: body.input("filterable"),
    }
}

/// Decodes a new field.
pub(crate) fn field_draft(body: &Object<'_>) -> FieldDraft {
    FieldDraft {
        name: body.input("name"),
        r#type: body.input("type"),
        filterable: body.input("filterable"),
    }
}
