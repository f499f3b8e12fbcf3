//! The effect on the list of a field's values of changes that are not yet applied.

use std::collections::{BTreeMap, BTreeSet};

use contact_hub_domain::fields::FieldValue;

use crate::counts::ValueUse;

/// The place of a value in the order of a field's values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ValueKey {
    pub(super) sort_key: Vec<u8>,
    pub(super) sort_rest: Vec<u8>,
    pub(super) identity: Vec<u8>,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueRow {
    pub(super) key: ValueKey,
    pub(super) value: FieldValue,
}

/// A range of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) offset: u64,
    pub(super) limit: u64,
}

impl Window {
    /// The same range of a list of this length, counted from its other end.
    pub(super) fn turned(self, length: u64) -> Self {
        let end = length.saturating_sub(self.offset);
        let offset = end.saturating_sub(self.limit);
        Self { offset, limit: end - offset }
    }
}

/// The number of active contacts that have a value, for each sort key and identity.
pub(super) type Counted = BTreeMap<(Vec<u8>, Vec<u8>), i64>;

/// The values that uncounted changes add to those that are counted, and those that they remove.
#[derive(Debug, Default)]
pub(super) struct Uncounted {
    added: Vec<ValueRow>,
    removed: BTreeSet<ValueKey>,
}

impl Uncounted {
    /// The effect of changes of one field on the counts of the same values.
    pub(super) fn of(changes: &[ValueUse], counted: &Counted) -> Self {
        let mut effect = Self::default();
        for change in changes {
            let place = (change.sort_key.clone(), change.identity.clone());
            let uses = counted.get(&place);
            let (sort_key, identity) = place;
            let key = ValueKey { sort_key, sort_rest: change.sort_rest.clone(), identity };
            match uses {
                None if change.delta > 0 => {
                    effect.added.push(ValueRow { key, value: change.value.clone() });
                }
                Some(uses) if uses + change.delta <= 0 => {
                    effect.removed.insert(key);
                }
                _ => {}
            }
        }
        effect
    }

    /// The number of values in use.
    pub(super) fn total(&self, counted: u64) -> u64 {
        (counted + number(self.added.len())).saturating_sub(number(self.removed.len()))
    }

    /// Where the values of a page can be among the counted ones: each added value moves them towards the end by one
    /// place, each removed one towards the beginning.
    pub(super) fn window(&self, page: Window) -> Window {
        let offset = page.offset.saturating_sub(number(self.added.len()));
        let end = page.offset.saturating_add(page.limit).saturating_add(number(self.removed.len()));
        Window { offset, limit: end - offset }
    }

    /// The values of a page, of counted values that were read from the window on.
    pub(super) fn merged(
        self,
        counted: Vec<ValueRow>,
        descending: bool,
        page: Window,
    ) -> Vec<FieldValue> {
        let window = self.window(page);
        let precedes = |key: &ValueKey, other: &ValueKey| {
            if descending { key > other } else { key < other }
        };
        let gone_before = counted.first().map_or(self.removed.len(), |first| {
            self.removed.iter().filter(|key| precedes(key, &first.key)).count()
        });
        // The place of the first of the merged values; those that precede the first counted one are not on the page
        // unless nothing is counted before the window.
        let start = window.offset.saturating_sub(number(gone_before));
        let skipped = usize::try_from(page.offset.saturating_sub(start)).unwrap_or(usize::MAX);
        let counted = counted.into_iter().filter(|row| !self.removed.contains(&row.key));
        let mut values: Vec<ValueRow> = counted.chain(self.added).collect();
        values.sort_by(|one, other| {
            let ascending = one.key.cmp(&other.key);
            if descending { ascending.reverse() } else { ascending }
        });
        let size = usize::try_from(page.limit).unwrap_or(usize::MAX);
        values.into_iter().skip(skipped).take(size).map(|row| row.value).collect()
    }
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::ids::FieldId;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    const UNIVERSE: u8 = 24;

    fn key(n: u8) -> ValueKey {
        ValueKey { sort_key: vec![n], sort_rest: Vec::new(), identity: Vec::new() }
    }

    fn value(n: u8) -> FieldValue {
        FieldValue::String(n.to_string().into())
    }

    fn change((n, delta): (u8, i64)) -> ValueUse {
        let ValueKey { sort_key, sort_rest, identity } = key(n);
        let field = FieldId::new(Uuid::nil());
        ValueUse { field, sort_key, sort_rest, identity, value: value(n), delta }
    }

    fn ordered(values: impl Iterator<Item = u8>, descending: bool) -> Vec<u8> {
        let mut values: Vec<u8> = values.collect();
        if descending {
            values.reverse();
        }
        values
    }

    fn part<T: Clone>(of: &[T], window: Window) -> Vec<T> {
        let place = |n: u64| usize::try_from(n).expect("a small number");
        of.iter().skip(place(window.offset)).take(place(window.limit)).cloned().collect()
    }

    proptest! {
        #[test]
        fn a_page_matches_the_summed_counts(
            counted in prop::collection::btree_map(0..UNIVERSE, 1_i64..4, 0..24),
            later in prop::collection::btree_map(0..UNIVERSE, 0_i64..4, 0..24),
            (offset, limit, descending) in (0_u64..30, 1_u64..10, any::<bool>()),
        ) {
            let page = Window { offset, limit };
            let changes = later.iter().map(|(n, uses)| (*n, uses - counted.get(n).unwrap_or(&0)));
            let changes = changes.filter(|(_, delta)| *delta != 0).map(change).collect::<Vec<_>>();
            let before = counted.iter().map(|(n, uses)| ((vec![*n], Vec::new()), *uses)).collect::<Counted>();
            let uncounted = Uncounted::of(&changes, &before);

            let in_use = (0..UNIVERSE).filter(|n| *later.get(n).or(counted.get(n)).unwrap_or(&0) > 0);
            let in_use = ordered(in_use, descending);
            prop_assert_eq!(uncounted.total(number(counted.len())), number(in_use.len()));

            let rows = ordered(counted.keys().copied(), descending);
            let rows = part(&rows, uncounted.window(page)).into_iter();
            let rows = rows.map(|n| ValueRow { key: key(n), value: value(n) }).collect();
            let expected: Vec<_> = part(&in_use, page).into_iter().map(value).collect();
            prop_assert_eq!(uncounted.merged(rows, descending, page), expected);
        }
    }
}
