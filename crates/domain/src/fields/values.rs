//! The values that one contact has, and the changes that a request asks for.

use std::collections::BTreeMap;

use super::{Directory, Field, FieldKey, FieldValue};
use crate::given::Given;
use crate::violations::{Refusal, Violations};

/// A contact's values by field key. Every value is valid for its field.
pub type FieldValues = BTreeMap<FieldKey, FieldValue>;

/// What to do with the fields that a request names: set a value, or with `None` clear it.
pub type ValueChanges = BTreeMap<FieldKey, Option<FieldValue>>;

/// What a request gave for `field_values`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldValuesDraft {
    /// Absent or null.
    #[default]
    Absent,
    /// An object: each member as it arrived, each name once.
    Entries(Vec<(String, Given)>),
    /// Something that is no object.
    NotAnObject,
}

/// A field with the value that a contact has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldValueEntry {
    /// The field.
    pub field: Field,
    /// The value.
    pub value: FieldValue,
}

impl FieldValuesDraft {
    /// The keys that the request names, unjudged.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let entries = match self {
            Self::Entries(entries) => entries.as_slice(),
            Self::Absent | Self::NotAnObject => &[],
        };
        entries.iter().map(|(key, _)| key.as_str())
    }

    /// Judges every entry against the directory; each refusal stands under `field_values.<key>`.
    pub fn judge(&self, directory: &Directory, violations: &mut Violations) -> ValueChanges {
        match self {
            Self::Absent => ValueChanges::new(),
            Self::NotAnObject => {
                violations.add("field_values", Refusal::new("must be an object"));
                ValueChanges::new()
            }
            Self::Entries(entries) => {
                let judged = entries.iter().filter_map(|(key, given)| {
                    let path = format!("field_values.{key}");
                    violations.keep(&path, judge_entry(directory, key, given))
                });
                judged.collect()
            }
        }
    }
}

fn judge_entry(
    directory: &Directory,
    key: &str,
    given: &Given,
) -> Result<(FieldKey, Option<FieldValue>), Refusal> {
    let field = directory.find(key).ok_or_else(|| Refusal::new("is not a known field"))?;
    let value = match given {
        Given::Null | Given::Absent => None,
        given => Some(FieldValue::judge(field.kind, given)?),
    };
    Ok((field.key.clone(), value))
}

/// The values with the changes set over them.
#[must_use]
pub fn with_changes(values: &FieldValues, changes: &ValueChanges) -> FieldValues {
    let mut merged = values.clone();
    for (key, change) in changes {
        match change {
            // An equal value keeps its first spelling, so that nothing changes.
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
