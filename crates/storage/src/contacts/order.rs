//! The order of a list, and the index along which it is read.

use contact_hub_domain::contacts::{KeyValue, Place, Sort, SortKey, Sorts};

use crate::statement::{Statement, joined, sql};

pub(super) const fn column(key: SortKey) -> &'static str {
    match key {
        SortKey::Email => "email_folded",
        SortKey::FirstName => "first_name_folded",
        SortKey::LastName => "last_name_folded",
        SortKey::CreatedAt => "created_at",
    }
}

pub(super) const fn index(key: SortKey) -> &'static str {
    match key {
        SortKey::Email => "contacts_by_email",
        SortKey::FirstName => "contacts_by_first_name",
        SortKey::LastName => "contacts_by_last_name",
        SortKey::CreatedAt => "contacts_by_created_at",
    }
}

/// The columns of the sort keys.
pub(super) fn keys(sorts: &[Sort], table: &'static str) -> Statement {
    joined(sorts.iter().map(|sort| sql!("{}{}", table, column(sort.key))), ", ")
}

/// The sort keys and then the id, which breaks ties in the last key's direction. Reversed for a walk from the end.
pub(super) fn order(sorts: &[Sort], turned: bool, table: &'static str) -> Statement {
    let last = sorts.last().is_some_and(|sort| sort.descending);
    let keys = sorts.iter().map(|sort| (column(sort.key), sort.descending));
    let all = keys.chain([("id", last)]);
    joined(
        all.map(|(column, descending)| {
            sql!("{}{} {}", table, column, direction(descending, turned))
        }),
        ", ",
    )
}

/// That a contact follows a place in the order. What precedes each column keeps SQLite from using an index, or is empty.
pub(super) fn behind(sorts: &Sorts, place: &Place, prefix: &'static str) -> Statement {
    let id = sql!("{}id {} ?", prefix, beyond(sorts.id_descending())).bind(place.id);
    let mut keys = sorts.keys().iter().zip(&place.keys);
    let Some((first, value)) = keys.next() else { return id };
    if sorts.keys().len() == 1 {
        // An index ends with the id, so that it is entered at the place, however many contacts have an equal key.
        let pair = sql!(
            "({prefix}{key}, {prefix}id) {beyond} (?, ?)",
            prefix = prefix,
            key = column(first.key),
            beyond = beyond(first.descending),
        );
        return bind(pair, value).bind(place.id);
    }
    let rest = keys.rev().fold(id, |rest, (sort, value)| further(*sort, value, rest, prefix));
    let begin = sql!("{}{} {}= ?", prefix, column(first.key), beyond(first.descending));
    sql!("{} AND {}", bind(begin, value), further(*first, value, rest, prefix))
}

/// That a key is beyond a value, or is equal and the rest holds.
fn further(sort: Sort, value: &KeyValue, rest: Statement, prefix: &'static str) -> Statement {
    let (column, beyond) = (column(sort.key), beyond(sort.descending));
    let key = bind(sql!("{}{} {} ?", prefix, column, beyond), value);
    let equal = bind(sql!("{}{} = ?", prefix, column), value);
    sql!("({} OR ({} AND {}))", key, equal, rest)
}

fn bind(condition: Statement, value: &KeyValue) -> Statement {
    match value {
        KeyValue::Text(text) => condition.bind(text.as_str()),
        KeyValue::Moment(moment) => condition.bind(*moment),
    }
}

const fn beyond(descending: bool) -> &'static str {
    if descending { "<" } else { ">" }
}

/// One sort key alone.
pub(super) fn key_order(sort: Sort, turned: bool) -> Statement {
    sql!("{} {}", column(sort.key), direction(sort.descending, turned))
}

const fn direction(descending: bool, turned: bool) -> &'static str {
    if descending == turned { "ASC" } else { "DESC" }
}
