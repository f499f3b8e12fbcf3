//! Pages of matches along the index of the sort, on PostgreSQL.

use std::collections::BTreeSet;

use super::covering::worth_walking;
use super::matches::{Matches, Selected};
use super::order::{column, key_order, keys, order};
use super::page_rows::rows_of;
use super::walk::bound;
use super::ways::{Ways, allow};
use super::window::Window;
use crate::connection::Connection;
use crate::contacts::rows::ContactRow;
use crate::counts::stored_total;
use crate::failure::Failure;
use crate::statement::{Statement, joined, sql};

impl Matches<'_> {
    /// The page along the index of the sort, unless more contacts would be read than the number of matches suggests, and than
    /// a condition leaves out, all of which may be first: where the index has its column, they are skipped quickly.
    pub(super) fn walk(
        &self,
        connection: &mut Connection,
        window: &Window,
        total: u64,
        left_out: u64,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        allow(connection, Ways::Indexes)?;
        let of = stored_total(connection, self.company)?;
        self.walk_among(connection, window, total, of, left_out)
    }

    /// The same among this many contacts.
    pub(super) fn walk_among(
        &self,
        connection: &mut Connection,
        window: &Window,
        total: u64,
        of: u64,
        left_out: u64,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        let is_covered = self.conditions.is_covered_along(self.query.sorts.keys());
        let worth = if is_covered { worth_walking(total) } else { 0 };
        let are_tested = self.conditions.covering_sorted(&self.needed(Selected::Keys)).is_some();
        let skipped = if are_tested { left_out } else { 0 };
        let most = window.walk(of, total).max(self.limits.walk).max(worth);
        let most = most.saturating_add(skipped).min(of);
        let walked = self.walked(window, most, None);
        let page = rows_of(connection, self.conditions, self.query.sorts.keys(), walked);
        let rows: Vec<ContactRow> = connection.rows(page)?;
        let is_whole = u64::try_from(rows.len()).is_ok_and(|rows| rows == window.limit);
        Ok(is_whole.then_some(rows))
    }

    /// The ids and sort keys of the page, as far as the first contacts in the order of the first sort key have it. None
    /// that is equal to the last of them in this key is left out.
    pub(super) fn walked(
        &self,
        window: &Window,
        most: u64,
        behind: Option<Statement>,
    ) -> Statement {
        let sorts = self.query.sorts.keys();
        let page = sql!(
            "SELECT id, {} FROM ({}) AS contacts WHERE {} ORDER BY {} LIMIT ? OFFSET ?",
            keys(self.conditions.own_values(), sorts),
            self.along(window, most, behind),
            self.conditions.tests(),
            order(sorts, window.from_the_end, ""),
        );
        page.bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// These first contacts, those that do not match included.
    pub(super) fn along(&self, window: &Window, most: u64, behind: Option<Statement>) -> Statement {
        let sorts = self.query.sorts.keys();
        let first = sorts.first().and_then(|sort| column(sort.key));
        let sorted = sorts.iter().filter_map(|sort| column(sort.key));
        let columns: BTreeSet<_> = sorted.chain(self.conditions.columns()).collect();
        let ranges = first.map(|first| self.conditions.ranges_of(first));
        let (by, ties) = match sorts {
            [first, _, ..] => (key_order(*first, window.from_the_end), "WITH TIES"),
            _ => (order(sorts, window.from_the_end, ""), "ONLY"),
        };
        let walk = sql!(
            "SELECT id, {} FROM contacts WHERE {}{}{} ORDER BY {} FETCH FIRST ? ROWS {}",
            joined(columns, ", "),
            self.conditions.scope(),
            ranges,
            behind,
            by,
            ties,
        );
        walk.bind(bound(most))
    }
}
