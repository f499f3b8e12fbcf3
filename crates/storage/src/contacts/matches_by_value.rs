//! One page of the contacts that meet a condition on the value of a field, on PostgreSQL.
//!
//! The kept counts have their number. The page is read along the index of the sort if a short walk meets enough of them,
//! and otherwise the matches are sorted.

use super::by_value::ByValue;
use super::conditions::Conditions;
use super::matches::{Few, Matches};
use super::order::order;
use super::page_rows::{Found, rows_of};
use super::value_conditions::WithValue;
use super::value_total::Counted;
use super::walk::{EVERY, bound};
use super::window::Window;
use crate::connection::Connection;
use crate::dialect::lateral;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

impl Matches<'_> {
    /// The page of this many matches of a condition on the value of a field.
    pub(super) fn find_counted(
        &self,
        connection: &mut Connection,
        Counted { matches: total, of }: Counted,
    ) -> Result<Found, Failure> {
        let page = self.query.page;
        let Some(window) = Window::of(total, page.offset(), page.size().into()) else {
            return Ok(Found { total, rows: Vec::new() });
        };
        let sorts = self.query.sorts.keys();
        let hits = self.hits_with_value();
        let by_value = ByValue::of(self.company, sorts, self.conditions);
        if let Some(by_value) = &by_value
            && (hits.is_none() || total > self.limits.few)
        {
            return Ok(Found { total, rows: by_value.page(connection, page, total)? });
        }
        let Some(hits) = hits else {
            // Contacts without a value are found by looking at each contact, until the page is complete.
            let rows =
                rows_of(connection, self.conditions, sorts, self.walked(&window, EVERY, None));
            return Ok(Found { total, rows: connection.rows(rows)? });
        };
        let is_soon =
            || window.is_soon(of, total, self.conditions.as_long_as_sorting(sorts, total));
        // An order by the values of a field has no index of contacts to walk along.
        if by_value.is_none()
            && (total > self.limits.few || is_soon())
            && let Some(rows) = self.walk_among(connection, &window, total, of)?
        {
            return Ok(Found { total, rows });
        }
        let rows = rows_of(connection, self.conditions, sorts, self.sorted(&hits, &window));
        Ok(Found { total, rows: connection.rows(rows)? })
    }

    /// The page of these hits, sorted. Without OFFSET the planner may look for them along the index of the order.
    fn sorted(&self, hits: &Statement, window: &Window) -> Statement {
        let page = sql!(
            "SELECT * FROM (SELECT * FROM ({}) AS hits OFFSET 0) AS matching ORDER BY {} LIMIT ? OFFSET ?",
            hits,
            order(self.query.sorts.keys(), window.from_the_end, ""),
        );
        page.bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// The ids and sort keys of the matches, found by the first condition that a field has a certain value.
    pub(super) fn hits_with_value(&self) -> Option<Statement> {
        self.conditions.values().next().map(|value| self.hits_of(&Few::WithValue(value)))
    }
}

impl Conditions {
    /// All matches, looked up by their values of a field.
    pub(super) fn found_by(&self, value: &WithValue, columns: &Statement) -> Statement {
        let own = statement("contacts.company_id = ? AND contacts.id = found.contact_id");
        sql!(
            "SELECT {} FROM (SELECT contact_id FROM {} ORDER BY sort_key OFFSET 0) AS found {} WHERE {}",
            columns,
            &value.rows,
            lateral("contacts", own.bind(self.company())),
            self.all_besides(value),
        )
    }
}
