//! The condition that a contact follows a place in the order of a list.

use contact_hub_domain::contacts::{KeyValue, Place, Sort, Sorts};

use super::order::{column, key_of, name};
use super::own_values::OwnValues;
use crate::statement::{Statement, sql};

/// How the sort keys are named where the condition is.
#[derive(Clone, Copy)]
pub(super) enum Naming {
    /// They are looked up for a row of contacts.
    Contact(OwnValues),
    /// They were selected. What precedes each column keeps SQLite from using an index, or is empty.
    Selected(&'static str),
}

impl Naming {
    fn key(self, place: usize, sort: Sort) -> Statement {
        match self {
            Self::Contact(own) => key_of(own, sort),
            Self::Selected(prefix) => sql!("{}{}", prefix, name(place, sort)),
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Contact(_) => "",
            Self::Selected(prefix) => prefix,
        }
    }
}

/// That a contact follows a place.
pub(super) fn behind(sorts: &Sorts, place: &Place, naming: Naming) -> Statement {
    let keys = sorts.keys();
    let prefix = naming.prefix();
    match (keys, place.keys.as_slice()) {
        ([only], [value]) if column(only.key).is_some() => {
            // An index ends with the id, so that it is entered at the place, however many contacts have an equal key.
            let pair = sql!(
                "({key}, {prefix}id) {beyond} (?, ?)",
                key = naming.key(0, *only),
                prefix = prefix,
                beyond = beyond(only.descending),
            );
            bind(pair, value).bind(place.id)
        }
        ([first, ..], [value, ..]) if column(first.key).is_some() => {
            let begin = sql!("{} {}= ?", naming.key(0, *first), beyond(first.descending));
            sql!("{} AND {}", bind(begin, value), behind_from(0, sorts, place, naming))
        }
        _ => behind_from(0, sorts, place, naming),
    }
}

/// The same by the keys from a place on, where those before are equal.
pub(super) fn behind_from(first: usize, sorts: &Sorts, place: &Place, naming: Naming) -> Statement {
    let id = sql!("{}id {} ?", naming.prefix(), beyond(sorts.id_descending())).bind(place.id);
    let keys = sorts.keys().iter().zip(&place.keys).enumerate().skip(first);
    let keys: Vec<_> = keys.collect();
    keys.into_iter()
        .rev()
        .fold(id, |rest, (at, (sort, value))| further(&naming.key(at, *sort), *sort, value, rest))
}

/// That a key is beyond a value, or is equal and the rest holds. Contacts without a value are last.
fn further(key: &Statement, sort: Sort, value: &KeyValue, rest: Statement) -> Statement {
    let equal = || bind(sql!("{} = ?", key), value);
    let greater = || bind(sql!("{} {} ?", key, beyond(sort.descending)), value);
    match value {
        KeyValue::Value(None) => sql!("({} IS NULL AND {})", key, rest),
        KeyValue::Value(Some(_)) => {
            sql!("({} OR {} IS NULL OR ({} AND {}))", greater(), key, equal(), rest)
        }
        KeyValue::Text(_) | KeyValue::Moment(_) => {
            sql!("({} OR ({} AND {}))", greater(), equal(), rest)
        }
    }
}

pub(super) fn bind(condition: Statement, value: &KeyValue) -> Statement {
    match value {
        KeyValue::Text(text) => condition.bind(text.as_str()),
        KeyValue::Moment(moment) => condition.bind(*moment),
        KeyValue::Value(key) => condition.bind(key.as_deref().unwrap_or_default()),
    }
}

pub(super) const fn beyond(descending: bool) -> &'static str {
    if descending { "<" } else { ">" }
}
