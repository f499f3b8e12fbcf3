//! Changes of the counts of values, summed by value.

use std::borrow::Cow;

use hashbrown::HashMap;

use contact_hub_domain::fields::{Directory, FieldKey, FieldValue, FieldValues};
use contact_hub_domain::ids::FieldId;

use super::ValueUse;
use super::value_use::Place;
use crate::failure::Failure;

/// For how many values space is reserved at once. A bulk of contacts with a few fields has as many.
const MAX_RESERVED: usize = 10_000;

/// Changes of the counts of values of one company, summed by value. Each value of a bulk is looked up, so the hash is a
/// fast one, with a seed of the process.
#[derive(Default)]
pub(crate) struct ValueUses(HashMap<(FieldId, Place), (FieldValue, i64)>);

impl ValueUses {
    /// Reserves space for the changes of this many values at once, within bounds: many of them may be of the same
    /// values.
    pub(super) fn reserve(&mut self, values: usize) {
        self.0.reserve(values.min(MAX_RESERVED));
    }

    /// Adds the values of a contact that becomes active.
    pub(super) fn gain(
        &mut self,
        directory: &Directory,
        values: &FieldValues,
    ) -> Result<(), Failure> {
        self.change(directory, values, 1)
    }

    /// Subtracts the values of an active contact.
    pub(super) fn lose(
        &mut self,
        directory: &Directory,
        values: &FieldValues,
    ) -> Result<(), Failure> {
        self.change(directory, values, -1)
    }

    /// Subtracts the values that an active contact had and adds those that it has. Nothing is done for those that stay.
    pub(super) fn exchange(
        &mut self,
        directory: &Directory,
        before: &FieldValues,
        after: &FieldValues,
    ) -> Result<(), Failure> {
        let gone = before.iter().filter(|(key, value)| after.get(*key) != Some(value));
        self.change(directory, gone, -1)?;
        let new = after.iter().filter(|(key, value)| before.get(*key) != Some(value));
        self.change(directory, new, 1)
    }

    /// Adds to the count of one value.
    pub(super) fn add(&mut self, field: FieldId, value: Cow<'_, FieldValue>, delta: i64) {
        let place = Place::of(&value);
        self.0.entry((field, place)).or_insert_with(|| (value.into_owned(), 0)).1 += delta;
    }

    /// How many values there are changes of.
    pub(super) fn number(&self) -> usize {
        self.0.len()
    }

    /// What changes, sorted by field and the indexed head of the sort key.
    pub(super) fn into_changes(self) -> impl Iterator<Item = ValueUse> {
        let changed = self.0.into_iter().filter(|(_, (_, delta))| *delta != 0);
        let mut changed: Vec<_> = changed.collect();
        changed.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        changed
            .into_iter()
            .map(|((field, place), (value, delta))| ValueUse::new(field, place, value, delta))
    }

    fn change<'a>(
        &mut self,
        directory: &Directory,
        values: impl IntoIterator<Item = (&'a FieldKey, &'a FieldValue)>,
        delta: i64,
    ) -> Result<(), Failure> {
        for (key, value) in values {
            let field = directory.find(key.as_str());
            let field = field.ok_or_else(|| Failure::Corrupt("a value has no field".to_owned()))?;
            self.add(field.id, Cow::Borrowed(value), delta);
        }
        Ok(())
    }
}
