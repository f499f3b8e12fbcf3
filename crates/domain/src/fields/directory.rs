//! The fields of one company, as they were created.

use std::collections::HashMap;

use super::{Field, FieldKey};

/// An API directory's fields in the order of their creation, found by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directory {
    fields: Vec<Field>,
    positions: HashMap<FieldKey, usize>,
}

impl Directory {
    /// Takes the fields in the order of their creation.
    #[must_use]
    pub fn new(fields: Vec<Field>) -> Self {
        let positions =
            fields.iter().enumerate().map(|(at, field)| (field.key.clone(), at)).collect();
        Self { fields, positions }
    }

    /// Every field, oldest first.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The fields that take values, oldest first.
    pub fn in_use(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.archived)
    }

    /// The field with exactly this key.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&Field> {
        self.positions.get(key).and_then(|at| self.fields.get(*at))
    }

    /// The field with this key, and its position in the order of creation.
    pub(super) fn placed(&self, key: &FieldKey) -> Option<(usize, &Field)> {
        let position = *self.positions.get(key)?;
        Some((position, self.fields.get(position)?))
    }
}
