//! Pages that are read along the index of the first sort key.

use contact_hub_domain::contacts::Sort;
use contact_hub_domain::ids::CompanyId;

use super::order::{column, index, keys, order};
use super::own_values::OwnValues;
use super::window::Window;
use crate::connection::Connection;
use crate::dialect;
use crate::statement::{Statement, sql};

/// The ids and sort keys of a page of the contacts in a scope, without other conditions. From the offset `far_from` on, those
/// before the page are counted without their other sort keys.
pub(super) fn unfiltered(
    connection: &Connection,
    company: CompanyId,
    sorts: &[Sort],
    scope: &Statement,
    window: &Window,
    far_from: u64,
) -> Statement {
    match sorts {
        [first, _, ..] if window.offset >= far_from => {
            far(connection, company, sorts, *first, scope, window)
        }
        _ => filtered(connection, company, sorts, scope, window),
    }
}

/// The ids and sort keys of a page of the contacts that meet conditions.
pub(super) fn filtered(
    connection: &Connection,
    company: CompanyId,
    sorts: &[Sort],
    conditions: &Statement,
    window: &Window,
) -> Statement {
    // Only the first sort key is in an index. Along it, only rows that are equal in that key remain to be sorted.
    let along = match sorts {
        [first, _, ..] => dialect::along(connection, index(first.key)),
        _ => None,
    };
    let page = sql!(
        "SELECT id, {} FROM contacts{} WHERE {} ORDER BY {} LIMIT ? OFFSET ?",
        keys(OwnValues::of(connection, company), sorts),
        along,
        conditions,
        order(sorts, window.from_the_end, ""),
    );
    page.bind(bound(window.limit)).bind(bound(window.offset))
}

/// A page far from the end, in the order of several keys. Contacts that are equal in the first one are together, so it
/// alone determines between which of its values the page is. Only the contacts with these values are sorted.
fn far(
    connection: &Connection,
    company: CompanyId,
    sorts: &[Sort],
    first: Sort,
    scope: &Statement,
    window: &Window,
) -> Statement {
    let place = Place {
        key: column(first.key).unwrap_or_default(),
        descends: first.descending != window.from_the_end,
    };
    let (from, to) = if place.descends { ("<=", ">=") } else { (">=", "<=") };
    sql!(
        "WITH place AS MATERIALIZED ({place}) SELECT id, {keys} FROM contacts{along} WHERE {scope} \
         AND {key} {from} {first} AND {key} {to} {last} ORDER BY {order} LIMIT {limit} OFFSET ({ties_before})",
        place = place.found(scope, window),
        keys = keys(OwnValues::of(connection, company), sorts),
        along = dialect::along(connection, index(first.key)),
        scope = scope,
        key = place.key,
        from = from,
        first = place.end(place.key, place.descends),
        to = to,
        last = place.end(place.key, !place.descends),
        order = order(sorts, window.from_the_end, ""),
        limit = window.limit,
        ties_before = place.ties_before(scope),
    )
}

/// The contacts that would be on a page if the first sort key alone and the id determined the order.
struct Place {
    key: &'static str,
    descends: bool,
}

impl Place {
    fn found(&self, scope: &Statement, window: &Window) -> Statement {
        let place = sql!(
            "SELECT {key}, id FROM contacts WHERE {scope} ORDER BY {key} {direction}, id {direction} LIMIT ? OFFSET ?",
            key = self.key,
            scope = scope,
            direction = direction(self.descends),
        );
        place.bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// The key or the id of its first contact in this direction.
    fn end(&self, what: &'static str, descends: bool) -> Statement {
        sql!(
            "(SELECT {what} FROM place ORDER BY {key} {direction}, id {direction} LIMIT 1)",
            what = what,
            key = self.key,
            direction = direction(descends),
        )
    }

    /// How many contacts with the key of its first one precede it.
    fn ties_before(&self, scope: &Statement) -> Statement {
        sql!(
            "SELECT count(*) FROM contacts WHERE {} AND {} = {} AND id {} {}",
            scope,
            self.key,
            self.end(self.key, self.descends),
            if self.descends { ">" } else { "<" },
            self.end("id", self.descends),
        )
    }
}

const fn direction(descends: bool) -> &'static str {
    if descends { "DESC" } else { "ASC" }
}

/// More contacts than there are, as the databases take numbers.
pub(super) const EVERY: u64 = u64::MAX >> 1;

/// A number as the databases take it.
pub(super) fn bound(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
