//! Pages in the order of the values of a field.

use std::ops::Range;

use super::by_value::{ByValue, Keys};
use super::order::column;
use super::page_rows::rows_of;
use super::search::Search;
use super::value_conditions::values_of;
use super::window::Window;
use crate::connection::Connection;
use crate::contacts::rows::ContactRow;
use crate::counts::{KeyRange, contacts_in_range};
use crate::failure::Failure;
use crate::statement::Statement;

impl ByValue<'_> {
    /// The page of this many matches. If it is known how many of these have a value, it is read from the nearer ends.
    pub(super) fn page(
        &self,
        connection: &mut Connection,
        matches: u64,
    ) -> Result<Vec<ContactRow>, Failure> {
        let (offset, limit) = (self.query.page.offset(), u64::from(self.query.page.size()));
        if offset >= self.limits.far
            && let Some(having) = self.known_number_with_value(connection, matches)?
        {
            let end = offset.saturating_add(limit).min(matches);
            let mut rows = self.nearer(connection, having, offset..end.min(having), true)?;
            let lacking = offset.max(having) - having..end.max(having) - having;
            rows.extend(self.nearer(connection, matches - having, lacking, false)?);
            return Ok(rows);
        }
        let window = Window { from_the_end: false, limit, offset };
        let mut rows = self.page_with_value(connection, window)?;
        let found = u64::try_from(rows.len()).unwrap_or(limit);
        if found == limit || offset.saturating_add(found) >= matches || !self.may_lack_value() {
            return Ok(rows);
        }
        let skipped = match found {
            0 if self.may_have_value() => {
                offset.saturating_sub(self.number_with_value(connection)?)
            }
            0 => offset,
            _ => 0,
        };
        let window = Window { from_the_end: false, limit: limit - found, offset: skipped };
        rows.extend(self.page_without_value(connection, &window)?);
        Ok(rows)
    }

    /// How many of the matches have a value, if that is known without looking at them.
    fn known_number_with_value(
        &self,
        connection: &mut Connection,
        matches: u64,
    ) -> Result<Option<u64>, Failure> {
        if !self.may_lack_value() {
            return Ok(Some(matches));
        }
        if !self.conditions.is_empty() {
            return Ok((!self.may_have_value()).then_some(0));
        }
        let entries = values_of(connection, self.company, self.field);
        let all = KeyRange::all();
        let of = contacts_in_range(connection, self.company, self.field, &all, &entries, 0)?;
        Ok(Some(of.in_range.min(matches)))
    }

    /// Some of those that have a value, or of the others, of which there are `total`.
    fn nearer(
        &self,
        connection: &mut Connection,
        total: u64,
        places: Range<u64>,
        have_value: bool,
    ) -> Result<Vec<ContactRow>, Failure> {
        let size = places.end.saturating_sub(places.start);
        let Some(nearer) = Window::of(total, places.start, size).filter(|_| size > 0) else {
            return Ok(Vec::new());
        };
        let farther = Window { from_the_end: false, limit: nearer.limit, offset: places.start };
        // The contacts with one value are in the order of an attribute then, which has an index.
        let can_turn = self.sorts.get(1).is_none_or(|sort| column(sort.key).is_some());
        let window = if can_turn { nearer } else { farther };
        let turned = self.turned(window.from_the_end);
        if have_value {
            turned.page_with_value(connection, window)
        } else {
            turned.page_without_value(connection, &window)
        }
    }

    /// Those of a window of the matches that have a value.
    fn page_with_value(
        &self,
        connection: &mut Connection,
        window: Window,
    ) -> Result<Vec<ContactRow>, Failure> {
        if !self.may_have_value() {
            return Ok(Vec::new());
        }
        if self.sorts.len() == 1 {
            let page = self.with_value(connection, &Keys::default(), &window, None);
            return Ok(connection.rows(self.rows_of(connection, page))?);
        }
        let (rows, _) = self.in_groups(connection, &self.search(window), u32::MAX)?;
        Ok(rows.into_iter().map(|row| row.contact).collect())
    }

    /// Those of a window of the matches that have none.
    fn page_without_value(
        &self,
        connection: &mut Connection,
        window: &Window,
    ) -> Result<Vec<ContactRow>, Failure> {
        let page = self.without_value(window, None);
        Ok(connection.rows(self.rows_of(connection, page))?)
    }

    /// A search for a window of the matches.
    const fn search(&self, window: Window) -> Search<'_> {
        Search {
            company: self.company,
            query: self.query,
            conditions: self.conditions,
            place: None,
            window,
            limits: self.limits,
        }
    }

    fn rows_of(&self, connection: &Connection, page: Statement) -> Statement {
        rows_of(connection, self.conditions, self.sorts, page)
    }
}
