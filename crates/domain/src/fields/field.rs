//! Fields: their names and types.

use std::fmt;

use super::FieldKey;
use crate::ids::{DirectoryId, FieldId};
use crate::input::FromText;
use crate::text;
use crate::violations::Problem;

/// The longest name of a field, in code points.
pub const MAX_FIELD_NAME: usize = 255;

/// The most fields that a directory holds.
pub const MAX_FIELDS: usize = 1000;

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

impl FieldType {
    /// Every type.
    pub const ALL: [Self; 5] =
        [Self::String, Self::Number, Self::Date, Self::DateTime, Self::Boolean];

    /// The name in the interface.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Date => "date",
            Self::DateTime => "datetime",
            Self::Boolean => "boolean",
        }
    }
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromText for FieldType {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let word = text::trimmed(text);
        Self::ALL
            .into_iter()
            .find(|known| known.as_str() == word)
            .ok_or_else(|| Problem::new("must be one of string, number, date, datetime, boolean"))
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
