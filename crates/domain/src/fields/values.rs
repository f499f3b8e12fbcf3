//! The values of one contact, and the changes of a request.

use std::collections::BTreeMap;

use super::{Directory, Field, FieldKey, FieldValue};
use crate::input::Input;
use crate::violations::{Problem, Violations};

/// A contact's values by field key. Every value is valid for its field.
pub type FieldValues = BTreeMap<FieldKey, FieldValue>;

/// The changes of a request: a new value for a field, or `None` to clear it.
pub type ValueChanges = BTreeMap<FieldKey, Option<FieldValue>>;

/// The input for `field_values`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldValuesDraft {
    /// Absent or null.
    #[default]
    Absent,
    /// The members of an object, each name once.
    Entries(Vec<(String, Input)>),
    /// Not an object.
    NotAnObject,
}

/// A field with the value that a contact has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldValueEntry {
    /// The field.
    pub field: Field,
    /// The value.
    pub value: FieldValue,
}

impl FieldValuesDraft {
    /// The keys of the request, not validated.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let entries = match self {
            Self::Entries(entries) => entries.as_slice(),
            Self::Absent | Self::NotAnObject => &[],
        };
        entries.iter().map(|(key, _)| key.as_str())
    }

    /// Validates every entry against the directory. Violations have the path `field_values.<key>`.
    pub fn validate(&self, directory: &Directory, violations: &mut Violations) -> ValueChanges {
        match self {
            Self::Absent => ValueChanges::new(),
            Self::NotAnObject => {
                violations.add("field_values", Problem::new("must be an object"));
                ValueChanges::new()
            }
            Self::Entries(entries) => {
                let validated = entries.iter().filter_map(|(key, input)| {
                    let path = format!("field_values.{key}");
                    violations.collect(&path, judge_entry(directory, key, input))
                });
                validated.collect()
            }
        }
    }
}

fn judge_entry(
    directory: &Directory,
    key: &str,
    input: &Input,
) -> Result<(FieldKey, Option<FieldValue>), Problem> {
    let field = directory.find(key).ok_or_else(|| Problem::new("is not a known field"))?;
    let value = match input {
        Input::Null | Input::Absent => None,
        input => Some(FieldValue::validate(field.kind, input)?),
    };
    Ok((field.key.clone(), value))
}

/// The values with the changes applied.
#[must_use]
pub fn with_changes(values: &FieldValues, changes: &ValueChanges) -> FieldValues {
    let mut merged = values.clone();
    for (key, change) in changes {
        match change {
            // An equal value keeps its spelling, so that nothing changes.
            Some(value) if merged.get(key) == Some(value) => {}
            Some(value) => drop(merged.insert(key.clone(), value.clone())),
            None => drop(merged.remove(key)),
        }
    }
    merged
}

/// The values with their fields, in the order in which the fields were created.
#[must_use]
pub fn entries(values: &FieldValues, directory: &Directory) -> Vec<FieldValueEntry> {
    let mut placed: Vec<(usize, FieldValueEntry)> = values
        .iter()
        .filter_map(|(key, value)| {
            let field = directory.find(key.as_str())?.clone();
            Some((directory.position(key)?, FieldValueEntry { field, value: value.clone() }))
        })
        .collect();
    placed.sort_by_key(|(position, _)| *position);
    placed.into_iter().map(|(_, entry)| entry).collect()
}
