//! Fields: their names and types.

use strum::{Display, EnumCount, IntoStaticStr, VariantArray};

use super::FieldKey;
use crate::ids::{DirectoryId, FieldId};
use crate::input::FromText;
use crate::text;
use crate::violations::Problem;
use crate::words::one_of;

/// The longest name of a field, in code points.
pub const MAX_FIELD_NAME: usize = 255;

/// The most fields that a directory holds.
pub const MAX_FIELDS: usize = 1000;

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

/// A custom attribute of a company's contacts. It never changes.
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
}
