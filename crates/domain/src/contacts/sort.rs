//! The order of a list of contacts.

use crate::fields::{Field, FieldKey};
use crate::ids::FieldId;

/// The maximum number of keys that a list is sorted by.
pub const MAX_SORTS: usize = 4;

/// The keys by which contacts can be sorted. Text is sorted by its folded form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKey {
    /// The address.
    Email,
    /// The first name.
    FirstName,
    /// The last name.
    LastName,
    /// When the contact was first created.
    CreatedAt,
    /// The value of a filterable field, by its [`FieldValue::list_key`](crate::fields::FieldValue::list_key). Contacts
    /// without a value are last, even if the order is descending.
    Field(FieldId),
}

impl SortKey {
    /// The keys of every company, with their names.
    pub const ATTRIBUTES: [(&'static str, Self); 4] = [
        ("email", Self::Email),
        ("first_name", Self::FirstName),
        ("last_name", Self::LastName),
        ("created_at", Self::CreatedAt),
    ];
}

/// A key with its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The key.
    pub key: SortKey,
    /// Largest first.
    pub descending: bool,
}

/// One to [`MAX_SORTS`] distinct keys, followed by the id in the direction of the last key, so that the order is total.
/// By default the oldest contact is first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorts {
    keys: Vec<Sort>,
    /// The keys of the fields by which contacts are sorted.
    fields: Vec<(FieldId, FieldKey)>,
}

impl Default for Sorts {
    fn default() -> Self {
        Self { keys: vec![Sort { key: SortKey::CreatedAt, descending: false }], fields: Vec::new() }
    }
}

impl Sorts {
    /// Takes keys; `None` when there are none, too many, or one twice.
    #[must_use]
    pub fn new(sorts: Vec<Sort>) -> Option<Self> {
        let each_once =
            sorts.iter().all(|one| sorts.iter().filter(|other| other.key == one.key).count() == 1);
        (!sorts.is_empty() && each_once).then_some(Self { keys: sorts, fields: Vec::new() })
    }

    /// The same with the fields that keys name.
    #[must_use]
    pub(super) fn with_fields(self, fields: &[Field]) -> Self {
        let is_named =
            |field: &&Field| self.keys.iter().any(|sort| sort.key == SortKey::Field(field.id));
        let named = fields.iter().filter(is_named);
        let fields = named.map(|field| (field.id, field.key.clone())).collect();
        Self { fields, ..self }
    }

    /// The key of a field by which contacts are sorted.
    pub(super) fn key_of(&self, field: FieldId) -> Option<&FieldKey> {
        self.fields.iter().find(|(known, _)| *known == field).map(|(_, key)| key)
    }

    /// The keys, the most important first.
    #[must_use]
    pub fn keys(&self) -> &[Sort] {
        &self.keys
    }

    /// Whether contacts with equal keys are ordered by descending id.
    #[must_use]
    pub fn id_descending(&self) -> bool {
        self.keys.last().is_some_and(|sort| sort.descending)
    }
}

#[cfg(test)]
mod tests {
    use super::{Sort, SortKey, Sorts};

    #[test]
    fn ties_are_broken_in_the_direction_of_the_last_key() {
        let sort = |key, descending| Sort { key, descending };
        let sorts = Sorts::new(vec![sort(SortKey::Email, false), sort(SortKey::CreatedAt, true)]);
        assert!(sorts.expect("valid").id_descending());
        assert!(!Sorts::default().id_descending());
        assert_eq!(Sorts::new(Vec::new()), None);
        assert_eq!(Sorts::new(vec![sort(SortKey::Email, true); 2]), None);
    }
}
