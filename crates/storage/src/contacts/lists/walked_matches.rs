//! Pages of matches along the index of the sort, on PostgreSQL.

use std::collections::BTreeSet;

use super::covering::worth_walking;
use super::left_out::WithoutLeftOut;
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

/// A walk past some contacts.
pub(super) struct Past {
    /// How many others are worth reading.
    pub(super) most: u64,
    /// That a contact is one of the others, after AND.
    pub(super) condition: Statement,
}

impl Matches<'_> {
    /// The page along the index of the sort, unless more contacts would be read than the number of matches suggests.
    pub(super) fn walk(
        &self,
        connection: &mut Connection,
        window: &Window,
        total: u64,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        allow(connection, Ways::Indexes)?;
        let of = stored_total(connection, self.company)?;
        self.walk_among(connection, window, total, of)
    }

    /// The same beside a condition that leaves out few contacts.
    pub(super) fn walk_past(
        &self,
        connection: &mut Connection,
        window: &Window,
        without: WithoutLeftOut,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        match self.past_left_out(connection, window, without)? {
            Some(Past { most, condition }) => {
                self.walk_to(connection, window, most, Some(condition))
            }
            None => self.walk(connection, window, without.matches),
        }
    }

    /// A walk past the contacts that a condition leaves out, if the index of the sort has its column. They are skipped, since
    /// all of them may be at the beginning: their values are not looked up, and they do not count as read.
    pub(super) fn past_left_out(
        &self,
        connection: &mut Connection,
        window: &Window,
        WithoutLeftOut { matches, left_out }: WithoutLeftOut,
    ) -> Result<Option<Past>, Failure> {
        if self.conditions.covering_sorted(&self.needed(Selected::Keys)).is_none() {
            return Ok(None);
        }
        allow(connection, Ways::Indexes)?;
        let of = stored_total(connection, self.company)?.saturating_sub(left_out);
        let most = window.walk(of, matches).max(self.limits.walk);
        let condition = sql!(" AND {}", self.conditions.all_but_values());
        Ok(Some(Past { most, condition }))
    }

    /// The same among this many contacts.
    pub(super) fn walk_among(
        &self,
        connection: &mut Connection,
        window: &Window,
        total: u64,
        of: u64,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        let is_covered = self.conditions.is_covered_along(self.query.sorts.keys());
        let worth = if is_covered { worth_walking(total) } else { 0 };
        let most = window.walk(of, total).max(self.limits.walk).max(worth).min(of);
        self.walk_to(connection, window, most, None)
    }

    /// The page, if the first contacts that meet a further condition have it.
    pub(super) fn walk_to(
        &self,
        connection: &mut Connection,
        window: &Window,
        most: u64,
        condition: Option<Statement>,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        let walked = self.walked(window, most, condition);
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
        condition: Option<Statement>,
    ) -> Statement {
        let sorts = self.query.sorts.keys();
        let page = sql!(
            "SELECT id, {} FROM ({}) AS contacts WHERE {} ORDER BY {} LIMIT ? OFFSET ?",
            keys(self.conditions.own_values(), sorts),
            self.along(window, most, condition),
            self.conditions.tests(),
            order(sorts, window.from_the_end, ""),
        );
        page.bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// These first contacts, those that do not match included.
    pub(super) fn along(
        &self,
        window: &Window,
        most: u64,
        condition: Option<Statement>,
    ) -> Statement {
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
            condition,
            by,
            ties,
        );
        walk.bind(bound(most))
    }
}
