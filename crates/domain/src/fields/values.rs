//! The values of one contact, and the changes of a request.

use std::collections::{BTreeMap, BTreeSet};

use super::{Directory, Field, FieldKey, FieldValue};
use crate::input::Input;
use crate::property::Property;
use crate::violations::{Problem, Violations};

/// A contact's values by field key. Every value is valid for its field.
pub type FieldValues = BTreeMap<FieldKey, FieldValue>;

/// The changes of a request: a new value for a field, or `None` to clear it.
pub type ValueChanges = BTreeMap<FieldKey, Option<FieldValue>>;

/// All values of a contact, except those of fields that they do not replace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacing {
    /// The values.
    pub values: FieldValues,
    /// Values of these fields stay.
    pub kept: BTreeSet<FieldKey>,
}

/// The input for `field_values`: the members of an object, each name once.
pub type FieldValuesDraft = Property<Vec<(String, Input)>>;

/// A field with the value that a contact has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldValueEntry<'a> {
    /// The field.
    pub field: &'a Field,
    /// The value.
    pub value: &'a FieldValue,
}

impl FieldValuesDraft {
    /// The keys of the request, not validated.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries().iter().map(|(key, _)| key.as_str())
    }

    /// Parses and validates every entry by its field. Violations have the path `field_values.<key>`.
    pub(crate) fn read(&self, directory: &Directory) -> (ValueChanges, Violations) {
        let mut violations = Violations::default();
        let read = self.entries().iter().filter_map(|(key, input)| {
            let read = read_entry(directory, key, input);
            read.map_err(|problem| violations.add(format!("field_values.{key}"), problem)).ok()
        });
        (read.collect(), violations)
    }
}

fn read_entry(
    directory: &Directory,
    key: &str,
    input: &Input,
) -> Result<(FieldKey, Option<FieldValue>), Problem> {
    let field = directory.find(key).ok_or_else(|| Problem::new("is not a known field"))?;
    let value = match input {
        Input::Null | Input::Absent => None,
        _ if field.archived => {
            return Err(Problem::new("is an archived field, which takes no new values"));
        }
        input => Some(FieldValue::validate(field.kind, input)?),
    };
    Ok((field.key.clone(), value))
}

/// The values with the changes applied.
#[must_use]
pub fn with_changes(values: &FieldValues, changes: &ValueChanges) -> FieldValues {
    let mut merged = values.clone();
    for (key, change) in changes {
        match (change, merged.get_mut(key)) {
            // An equal number keeps its spelling, so that nothing changes.
            (Some(value), Some(known)) if known == value => {}
            (Some(value), Some(known)) => known.clone_from(value),
            (Some(value), None) => drop(merged.insert(key.clone(), value.clone())),
            (None, _) => drop(merged.remove(key)),
        }
    }
    merged
}

/// The values with their fields, in the order in which the fields were created.
#[must_use]
pub fn entries<'a>(values: &'a FieldValues, directory: &'a Directory) -> Vec<FieldValueEntry<'a>> {
    let placed = values.iter().filter_map(|(key, value)| {
        let (position, field) = directory.placed(key)?;
        Some((position, FieldValueEntry { field, value }))
    });
    let mut placed: Vec<_> = placed.collect();
    placed.sort_unstable_by_key(|(position, _)| *position);
    placed.into_iter().map(|(_, entry)| entry).collect()
}
