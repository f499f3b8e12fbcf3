//! How fields and values look on the wire.

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use contact_hub_domain::fields::{
    Field, FieldChangeDraft, FieldDraft, FieldValue, FieldValueEntry,
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
    #[schema(format = "uuid")]
    field_id: String,
    key: &'a str,
    name: &'a str,
    #[schema(value_type = FieldTypeName)]
    r#type: &'static str,
    /// A scalar of the field's type.
    #[schema(value_type = Scalar)]
    value: Shown<'a>,
}

impl<'a> From<&'a FieldValueEntry> for FieldValueJson<'a> {
    fn from(entry: &'a FieldValueEntry) -> Self {
        Self {
            field_id: entry.field.id.to_string(),
            key: entry.field.key.as_str(),
            name: &entry.field.name,
            r#type: entry.field.kind.as_str(),
            value: Shown(&entry.value),
        }
    }
}

/// A value in its own spelling; a parsed number would lose digits.
pub(crate) struct Shown<'a>(pub(crate) &'a FieldValue);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A text can be long, and is not copied.
        if let FieldValue::String(text) = self.0 {
            return text.serialize(serializer);
        }
        let json = self.0.to_json();
        let json: &RawValue = serde_json::from_str(&json).map_err(S::Error::custom)?;
        json.serialize(serializer)
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
