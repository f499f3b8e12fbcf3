//! The order of a list, and the index along which it is read.

use contact_hub_domain::contacts::{Sort, SortKey};

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
pub(super) fn keys(sorts: &[Sort]) -> Statement {
    joined(sorts.iter().map(|sort| column(sort.key)), ", ")
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

/// One sort key alone.
pub(super) fn key_order(sort: Sort, turned: bool) -> Statement {
    sql!("{} {}", column(sort.key), direction(sort.descending, turned))
}

const fn direction(descending: bool, turned: bool) -> &'static str {
    if descending == turned { "ASC" } else { "DESC" }
}
