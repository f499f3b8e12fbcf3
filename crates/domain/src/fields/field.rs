//! Fields: their names and types.

use strum::{Display, EnumCount, IntoStaticStr, VariantArray};

use super::FieldKey;
use crate::ids::{DirectoryId, FieldId};
use crate::input::FromText;
use crate::limits::Limits;
use crate::text;
use crate::violations::Problem;
use crate::words::one_of;

/// The longest name of a field, in code points.
pub const MAX_FIELD_NAME: usize = 255;

/// The maximum number of fields that a directory holds, without archived ones.
pub const MAX_FIELDS: usize = 1000;

/// The maximum number of fields that a directory holds, with archived ones. They are loaded together, so their number
/// is limited.
pub const MAX_FIELDS_EVER: usize = 10_000;

/// The type of a field's values.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray, Display,
)]
#[strum(serialize_all = "lowercase")]
pub enum FieldType {
    /// Text.
    String,
    /// A decimal number, exact to the last digit.
    Number,
    /// A calendar day.
    Date,
    /// A moment.
    DateTime,
    /// True or false.
    Boolean,
}

impl FromText for FieldType {
    fn from_text(text: &str) -> Result<Self, Problem> {
        one_of(text, &Self::ALL)
    }
}

/// A field's display name, with the key derived from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldName {
    name: String,
    key: FieldKey,
}

impl FieldName {
    /// The name as submitted, trimmed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The key derived from the name.
    #[must_use]
    pub const fn key(&self) -> &FieldKey {
        &self.key
    }
}

impl FromText for FieldName {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let name = text::name(text, MAX_FIELD_NAME)?;
        Ok(Self { name: name.to_owned(), key: FieldKey::derive(name)? })
    }
}

/// The display name of an existing field. The key stays, so it may be any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldLabel(String);

impl FieldLabel {
    /// The name as submitted, trimmed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for FieldLabel {
    fn from_text(text: &str) -> Result<Self, Problem> {
        text::name(text, MAX_FIELD_NAME).map(|name| Self(name.to_owned()))
    }
}

/// A custom attribute of a company's contacts. Its id, key and type never change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The service's id.
    pub id: FieldId,
    /// Unique in its directory.
    pub key: FieldKey,
    /// The display name.
    pub name: String,
    /// The type of its values.
    pub kind: FieldType,
    /// The API directory that holds it.
    pub directory_id: DirectoryId,
    /// Whether it takes no new values. Contacts keep those that they have.
    pub archived: bool,
    /// Whether contacts can be filtered and sorted by it.
    pub filterable: Filterable,
}

/// Whether contacts can be filtered and sorted by a field.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, EnumCount, IntoStaticStr, VariantArray, Display,
)]
#[strum(serialize_all = "lowercase")]
pub enum Filterable {
    /// They cannot.
    #[default]
    No,
    /// They can as soon as all values are indexed.
    Building,
    /// They can.
    Yes,
}

/// The maximum number of fields of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLimits {
    /// Without archived ones.
    pub in_use: usize,
    /// Those by which contacts can be filtered and sorted.
    pub filterable: usize,
}

impl From<Limits> for FieldLimits {
    fn from(limits: Limits) -> Self {
        Self { in_use: limits.fields.min(MAX_FIELDS), filterable: limits.filterable_fields }
    }
}
