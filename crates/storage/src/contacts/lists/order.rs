//! The order of a list, and the index along which it is read.

use contact_hub_domain::contacts::{MAX_SORTS, Sort, SortKey};

use super::own_values::LookUp;
use crate::statement::{Statement, joined, sql};

/// The names of the values by which contacts are sorted, by the places of their sort keys.
const VALUES: [&str; MAX_SORTS] = ["value_0", "value_1", "value_2", "value_3"];

/// The column of an attribute; `None` for the value of a field.
pub(super) const fn column(key: SortKey) -> Option<&'static str> {
    match key {
        SortKey::Email => Some("email_folded"),
        SortKey::FirstName => Some("first_name_folded"),
        SortKey::LastName => Some("last_name_folded"),
        SortKey::CreatedAt => Some("created_at"),
        SortKey::Field(_) => None,
    }
}

/// The index by an attribute.
pub(super) const fn index(key: SortKey) -> &'static str {
    match key {
        SortKey::Email => "contacts_by_email",
        SortKey::FirstName => "contacts_by_first_name",
        SortKey::LastName => "contacts_by_last_name",
        SortKey::CreatedAt => "contacts_by_created_at",
        // Contacts are read along it only by `by_value`.
        SortKey::Field(_) => "indexed_values_by_key",
    }
}

/// The columns of the sort keys, as they follow SELECT.
pub(super) fn keys(own: impl LookUp, sorts: &[Sort]) -> Statement {
    keys_from(0, own, sorts)
}

/// Those of the keys from a place on.
pub(super) fn keys_from(first: usize, own: impl LookUp, sorts: &[Sort]) -> Statement {
    let keys = sorts.iter().enumerate().skip(first);
    joined(keys.map(|(place, sort)| key(own, place, *sort)), ", ")
}

/// The columns of the sort keys in a table in which they were selected.
pub(super) fn selected(sorts: &[Sort], table: &'static str) -> Statement {
    let keys = sorts.iter().enumerate();
    joined(keys.map(|(place, sort)| sql!("{}{}", table, name(place, *sort))), ", ")
}

/// Whether a table is one in which the sort keys were selected.
fn is_selected(table: &str) -> bool {
    matches!(table, "page." | "sized." | "part.")
}

pub(super) fn name(place: usize, sort: Sort) -> &'static str {
    column(sort.key).unwrap_or_else(|| value(place))
}

/// The values among the keys, after other columns.
pub(super) fn values(own: impl LookUp, sorts: &[Sort]) -> Statement {
    let keys = sorts.iter().enumerate().filter(|(_, sort)| column(sort.key).is_none());
    joined(keys.map(|(place, sort)| sql!(", {}", key(own, place, *sort))), "")
}

fn key(own: impl LookUp, place: usize, sort: Sort) -> Statement {
    column(sort.key)
        .map_or_else(|| sql!("{} AS {}", key_of(own, sort), value(place)), Statement::from)
}

/// A sort key of a row of contacts.
pub(super) fn key_of(own: impl LookUp, sort: Sort) -> Statement {
    let SortKey::Field(field) = sort.key else { return column(sort.key).into() };
    own.select("sort_key", field, "")
}

fn value(place: usize) -> &'static str {
    VALUES.get(place).copied().unwrap_or_default()
}

/// The sort keys and then the id, which breaks ties in the last key's direction. Reversed for a walk from the end.
pub(super) fn order(sorts: &[Sort], turned: bool, table: &'static str) -> Statement {
    order_from(0, sorts, turned, table)
}

/// The order by the keys from a place on.
pub(super) fn order_from(
    first: usize,
    sorts: &[Sort],
    turned: bool,
    table: &'static str,
) -> Statement {
    let keys = sorts.iter().enumerate().skip(first).map(|(place, sort)| {
        let direction = direction(sort.descending, turned);
        if let Some(column) = column(sort.key) {
            return sql!("{}{} {}", table, column, direction);
        }
        // A value has a name in what is selected, and in a table of it.
        let table = if is_selected(table) { table } else { "" };
        let nulls = if turned { "FIRST" } else { "LAST" };
        sql!("{}{} {} NULLS {}", table, value(place), direction, nulls)
    });
    let last = sorts.last().is_some_and(|sort| sort.descending);
    let id = sql!("{}id {}", table, direction(last, turned));
    joined(keys.chain([id]), ", ")
}

/// The first sort key alone, an attribute.
pub(super) fn key_order(sort: Sort, turned: bool) -> Statement {
    sql!("{} {}", column(sort.key), direction(sort.descending, turned))
}

pub(super) const fn direction(descending: bool, turned: bool) -> &'static str {
    if descending == turned { "ASC" } else { "DESC" }
}
