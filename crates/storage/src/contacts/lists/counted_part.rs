//! A part of a list by the number of its matches, on PostgreSQL.

use super::gather::CountedRow;
use super::left_out::WithoutLeftOut;
use super::search::Search;
use super::value_total::Counted;
use super::window::Window;
use crate::connection::Connection;
use crate::counts::stored_total;
use crate::failure::Failure;
use crate::statement::Statement;

/// A walk looks up the values of at most the number of contacts, divided by this, before the matches are counted. Among ten
/// million, of which not all were in memory, looking up 625,000 in the order of emails took 19 seconds, and counting two to six.
const PART_LOOKED_UP: u64 = 64;

impl Search<'_> {
    /// The part of this many matches, if it is far from both ends.
    pub(super) fn far_part(
        &self,
        connection: &mut Connection,
        counted: Option<Counted>,
        bytes: u32,
    ) -> Result<Option<Vec<CountedRow>>, Failure> {
        let Some(counted) = counted.filter(|_| self.place.is_none()) else { return Ok(None) };
        let left = counted.matches.saturating_sub(self.window.offset);
        let window = Window { limit: self.window.limit.min(left), ..self.window };
        if window.limit == 0 || matches!(connection, Connection::Sqlite(_)) {
            return Ok(None);
        }
        let matches = self.matches();
        let Some(nearby) = matches.nearby(connection, &window, counted)? else { return Ok(None) };
        let page = matches.walked(&nearby.window, nearby.most, Some(nearby.condition));
        self.whole(connection, page, window.limit, bytes)
    }

    /// The part behind other matches of conditions on values, which a walk did not meet. The matches are counted as for a page
    /// with their number: that takes less than to gather and sort them, and shows where to walk.
    pub(super) fn behind_counted(
        &self,
        connection: &mut Connection,
        bytes: u32,
    ) -> Result<Option<Vec<CountedRow>>, Failure> {
        if !self.is_behind(connection) {
            return Ok(None);
        }
        let without = self.conditions.counted_without_left_out(connection)?;
        let matches = match without {
            Some(without) => without.matches,
            None if self.is_worth_counting(connection)? => self.matches().count(connection)?,
            None => return Ok(None),
        };
        let Some(window) = Window::of(matches, self.window.offset, self.window.limit) else {
            return Ok(Some(Vec::new()));
        };
        let counted = Counted { matches, of: stored_total(connection, self.company)? };
        Search { window, ..*self }.of_counted(connection, counted, without, bytes)
    }

    /// The part of this many matches, if it is not worth sorting them.
    fn of_counted(
        &self,
        connection: &mut Connection,
        counted: Counted,
        without: Option<WithoutLeftOut>,
        bytes: u32,
    ) -> Result<Option<Vec<CountedRow>>, Failure> {
        if let Some(rows) = self.far_part(connection, Some(counted), bytes)? {
            return Ok(Some(rows));
        }
        if let Some(without) = without
            && let Some(past) = self.matches().past_left_out(connection, &self.window, without)?
        {
            let page = self.matches().walked(&self.window, past.most, Some(past.condition));
            return self.whole(connection, page, self.window.limit, bytes);
        }
        match self.worth_walking_to(Some(counted)) {
            0 => Ok(None),
            most => self.walk(connection, most, Some(counted), bytes),
        }
    }

    /// How many contacts a walk may read before the matches are counted.
    pub(super) fn worth_looking_up(&self, connection: &mut Connection) -> Result<u64, Failure> {
        if !self.is_behind(connection) {
            return Ok(u64::MAX);
        }
        let of = stored_total(connection, self.company)?;
        Ok((of / PART_LOOKED_UP).max(self.limits.few).max(self.limits.walk))
    }

    /// Whether other matches of conditions on values precede the part.
    fn is_behind(&self, connection: &Connection) -> bool {
        let is_by_number = self.place.is_none() && self.window.offset > 0;
        let is_postgres = matches!(connection, Connection::Postgres(_));
        is_by_number && is_postgres && self.conditions.has_values()
    }

    /// Whether the number of matches may show where to walk, and finding all of them takes longer than counting them.
    fn is_worth_counting(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let sorts = self.query.sorts.keys();
        Ok(self.conditions.are_on_values()
            && self.conditions.hits_by_join(connection, sorts)?.is_none())
    }

    /// The rows, if they are this many.
    fn whole(
        &self,
        connection: &mut Connection,
        page: Statement,
        number: u64,
        bytes: u32,
    ) -> Result<Option<Vec<CountedRow>>, Failure> {
        let rows = self.rows(connection, page, bytes)?;
        let found = rows.first().map_or(0, CountedRow::total);
        Ok((found == number).then_some(rows))
    }
}
