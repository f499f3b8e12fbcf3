//! The entries of the index of values that a condition is about, and the order in which they are joined.

use super::matches::Selected;
use super::ways::Ways;
use crate::statement::{Statement, sql};

/// About how many entries of the index of values are read and hashed in the time in which the value of a contact is
/// looked up: 8 if all values are in memory, and 180 if they are not.
const LOOK_UP: u64 = 64;

/// To sort this many entries by contact and merge them with one that is in this order takes less than to hash it and look
/// them up.
const SORTED: u64 = 2;

/// About how many ids are sorted in the time in which a contact is sorted with its sort keys.
const WITH_KEYS: u64 = 4;

/// The entries of the values that a condition is about.
pub(super) struct Entries {
    /// The place of the condition among the tests.
    pub(super) test: usize,
    /// As they follow FROM.
    pub(super) rows: Statement,
    /// How many there are, or at most, if the kept counts do not tell.
    pub(super) number: u64,
    /// Whether all have the same value: the index has them in the order of their contacts.
    pub(super) are_of_one_value: bool,
    /// Whether contacts must have none of them.
    pub(super) are_excluded: bool,
}

/// The order in which entries are read to be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// That of the index: one side is hashed.
    Values,
    /// That of their contacts: the sides are merged.
    Contacts,
}

impl Entries {
    /// The contacts that have one of them.
    pub(super) fn contacts(&self, order: Order) -> Statement {
        sql!("SELECT contact_id FROM {} ORDER BY {} OFFSET 0", &self.rows, order.column())
    }

    /// Joins the contacts that have one. A contact has one value of a field, so none is joined twice. For EXISTS PostgreSQL
    /// would make the entries distinct before.
    pub(super) fn join(&self, order: Order) -> Statement {
        sql!(
            " JOIN ({contacts}) AS valued_{test} ON valued_{test}.contact_id = contacts.id",
            contacts = self.contacts(order),
            test = self.test,
        )
    }

    /// That a contact has none of them.
    pub(super) fn are_missing(&self, order: Order) -> Statement {
        sql!(
            "NOT EXISTS (SELECT FROM ({}) AS valued WHERE valued.contact_id = contacts.id)",
            self.contacts(order),
        )
    }

    /// Whether to join them with this many contacts takes less than to look up the value of each contact.
    pub(super) const fn are_joined_with(&self, contacts: u64) -> bool {
        self.number / LOOK_UP <= contacts
    }
}

fn joined_with<'a>(contacts: u64, entries: &'a [&'a Entries]) -> impl Iterator<Item = &'a Entries> {
    entries.iter().copied().filter(move |it| it.are_joined_with(contacts))
}

impl Order {
    /// The order in which the entries that the fewest contacts have are joined with the others.
    pub(super) fn of(fewest: &Entries, others: &[&Entries]) -> Self {
        let (number, is_in_order) = (fewest.number, fewest.are_of_one_value);
        let in_order = if is_in_order { number } else { 0 };
        Self::of_sides(in_order, number - in_order, joined_with(number, others))
    }

    /// The order in which this many contacts, found in another order, are joined with entries.
    pub(super) fn with(contacts: u64, what: Selected, entries: &[&Entries]) -> Self {
        let to_sort = match what {
            Selected::Ids => contacts,
            Selected::Keys => contacts.saturating_mul(WITH_KEYS),
        };
        Self::of_sides(0, to_sort, joined_with(contacts, entries))
    }

    fn of_sides<'a>(
        mut in_order: u64,
        mut to_sort: u64,
        entries: impl Iterator<Item = &'a Entries>,
    ) -> Self {
        for entries in entries {
            let sum = if entries.are_of_one_value { &mut in_order } else { &mut to_sort };
            *sum = sum.saturating_add(entries.number);
        }
        if to_sort / SORTED <= in_order { Self::Contacts } else { Self::Values }
    }

    /// Contacts, with their ids, that are found in another order.
    pub(super) fn sorted(self, contacts: Statement) -> Statement {
        match self {
            Self::Values => contacts,
            Self::Contacts => {
                sql!("SELECT * FROM ({}) AS found ORDER BY id OFFSET 0", contacts)
            }
        }
    }

    pub(super) const fn column(self) -> &'static str {
        match self {
            Self::Values => "sort_key",
            Self::Contacts => "contact_id",
        }
    }

    pub(super) const fn ways(self) -> Ways {
        match self {
            Self::Values => Ways::Joins,
            Self::Contacts => Ways::Merges,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::statement;

    fn entries(number: u64, are_of_one_value: bool) -> Entries {
        Entries { test: 0, rows: statement(""), number, are_of_one_value, are_excluded: false }
    }

    #[test]
    fn entries_of_one_value_are_merged_with_those_that_are_quickly_sorted() {
        let of_one = entries(3_000_000, true);
        for (number, order) in
            [(100_000, Order::Contacts), (5_000_000, Order::Contacts), (9_000_000, Order::Values)]
        {
            assert_eq!(Order::of(&entries(number, false), &[&of_one]), order, "{number}");
        }
        assert_eq!(Order::of(&of_one, &[&of_one]), Order::Contacts);
        assert_eq!(Order::of(&entries(5, false), &[&entries(9, false)]), Order::Values);
    }

    #[test]
    fn contacts_with_sort_keys_are_sorted_if_they_are_fewer() {
        let of_one = entries(3_000_000, true);
        let order = |what| Order::with(2_000_000, what, &[&of_one]);
        assert_eq!(order(Selected::Ids), Order::Contacts);
        assert_eq!(order(Selected::Keys), Order::Values);
    }

    #[test]
    fn entries_that_are_looked_up_are_not_sorted() {
        let few = entries(10, true);
        assert_eq!(Order::of(&few, &[&entries(9_000_000, false)]), Order::Contacts);
    }
}
