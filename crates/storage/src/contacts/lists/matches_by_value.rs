//! One page of the contacts that meet a condition on the value of a field, on PostgreSQL.
//!
//! The kept counts have their number. The page is read along the index of the sort if a short walk meets enough of them, from
//! an end of the list or from [near the page](super::far_matches), and otherwise the matches are sorted.

use super::by_value::ByValue;
use super::conditions::Conditions;
use super::joined_values::WALKED;
use super::matches::{Few, Matches, Selected};
use super::order::order;
use super::page_rows::{Found, rows_of};
use super::value_conditions::WithValue;
use super::value_total::Counted;
use super::walk::{EVERY, bound};
use super::window::Window;
use crate::connection::Connection;
use crate::contacts::rows::ContactRow;
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
        let by_value = ByValue::of(self.company, self.query, self.conditions, self.limits);
        if let Some(by_value) = &by_value
            && (hits.is_none() || total > self.limits.few || by_value.is_of_own_ranges())
        {
            return Ok(Found { total, rows: by_value.page(connection, total)? });
        }
        if let Some(rows) = self.far_page(connection, &window, Counted { matches: total, of })? {
            return Ok(Found { total, rows });
        }
        let Some(hits) = hits else {
            let counted = Counted { matches: total, of };
            let rows = self.lacking_a_value(connection, &window, counted)?;
            return Ok(Found { total, rows });
        };
        let as_long = self.conditions.as_long_as_sorting(sorts, total);
        let are_many = total > self.limits.few;
        let is_worth = window.is_soon(of, total, as_long)
            || (are_many && window.expected(of, total) <= as_long);
        // An order by the values of a field has no index of contacts to walk along.
        if by_value.is_none()
            && is_worth
            && let Some(rows) = self.walk_among(connection, &window, total, of)?
        {
            return Ok(Found { total, rows });
        }
        let are_known = self.conditions.hits_by_value(sorts).is_some();
        let joined = if are_many && !are_known {
            self.matches_by_join(connection, Selected::Keys)?
        } else {
            None
        };
        let page = self.sorted(&joined.unwrap_or(hits), &window);
        let rows = rows_of(connection, self.conditions, sorts, page);
        Ok(Found { total, rows: connection.rows(rows)? })
    }

    /// The page of the contacts without a value: found by looking at each contact until the page is complete, or by a join
    /// if that looks at too many. They may be far behind the others, as those are that were imported without the value.
    fn lacking_a_value(
        &self,
        connection: &mut Connection,
        window: &Window,
        Counted { matches: total, of }: Counted,
    ) -> Result<Vec<ContactRow>, Failure> {
        let sorts = self.query.sorts.keys();
        let most = (of / WALKED).max(self.limits.walk);
        if window.expected(of, total) <= most {
            let page = self.walked(window, most, None);
            let rows: Vec<ContactRow> =
                connection.rows(rows_of(connection, self.conditions, sorts, page))?;
            if u64::try_from(rows.len()).is_ok_and(|found| found == window.limit) {
                return Ok(rows);
            }
        }
        let joined = self.matches_by_join(connection, Selected::Keys)?;
        let page = joined
            .map_or_else(|| self.walked(window, EVERY, None), |hits| self.sorted(&hits, window));
        Ok(connection.rows(rows_of(connection, self.conditions, sorts, page))?)
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
