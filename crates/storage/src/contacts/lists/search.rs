//! A search for some of the contacts of a list, in its order, without their number.
//!
//! With conditions of which one has few contacts, its matches are sorted. Otherwise the first contacts along the index are
//! looked at, or [those near the part](super::far_matches), and more where the index has all tested columns. If too few of them
//! match, the matches are [counted](super::counted_part), or all of them are found as for a page, and sorted.

use contact_hub_domain::contacts::{KeyValue, ListQuery, Place};
use contact_hub_domain::ids::CompanyId;

use super::behind::{Naming, behind};
use super::by_value::{ByValue, Keys};
use super::conditions::Conditions;
use super::covering::worth_walking;
use super::gather::{CountedRow, left_of};
use super::hits::Hits;
use super::joined_values::WALKED;
use super::limits::ListLimits;
use super::matches::Matches;
use super::order::{column, order, selected};
use super::page_rows::{Values, columns, rows_of};
use super::skipped::walked;
use super::value_total::Counted;
use super::walk::{self, bound};
use super::ways::{Ways, allow};
use super::window::Window;
use crate::connection::Connection;
use crate::counts::stored_total;
use crate::dialect::{expected_rows, looked_up, unindexed};
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql};

/// A walk reads at most this many contacts for each that it should find.
const SPARSE: u64 = 50;

/// A search for some of the matches of a list: those of a window, after a place.
pub(super) struct Search<'a> {
    pub(super) company: CompanyId,
    pub(super) query: &'a ListQuery,
    pub(super) conditions: &'a Conditions,
    pub(super) place: Option<&'a Place>,
    pub(super) window: Window,
    pub(super) limits: ListLimits,
}

impl Search<'_> {
    /// The contacts, and how many were found: fewer are returned if their values reach this many bytes.
    pub(super) fn part(
        &self,
        connection: &mut Connection,
        bytes: u32,
    ) -> Result<(Vec<CountedRow>, u64), Failure> {
        let by_value = ByValue::of(self.company, self.query, self.conditions, self.limits);
        if let Some(by_value) = by_value {
            return self.find_by_value(connection, &by_value, bytes);
        }
        let rows = self.find(connection, bytes)?;
        let found = rows.first().map_or(0, CountedRow::total);
        Ok((rows, found))
    }

    fn find(&self, connection: &mut Connection, bytes: u32) -> Result<Vec<CountedRow>, Failure> {
        if self.conditions.is_empty() {
            let page = self.unfiltered(connection)?;
            return self.rows(connection, page, bytes);
        }
        let counted = self.conditions.kept_total(connection, self.limits.few)?;
        let few = self.limits.few.min(self.limits.walk);
        if let Some(rows) = self.few_sorted(connection, counted, few, bytes)? {
            return Ok(rows);
        }
        if let Some(rows) = self.far_part(connection, counted, bytes)? {
            return Ok(rows);
        }
        let most = match counted {
            Some(_) => self.worth_walking_to(counted),
            None => self.worth_walking_to(None).min(self.worth_looking_up(connection)?),
        };
        if most > 0
            && let Some(rows) = self.walk(connection, most, counted, bytes)?
        {
            return Ok(rows);
        }
        let longer = self.longer_walk(connection)?;
        if longer > most
            && let Some(rows) = self.walk(connection, longer, counted, bytes)?
        {
            return Ok(rows);
        }
        if counted.is_none()
            && let Some(rows) = self.behind_counted(connection, bytes)?
        {
            return Ok(rows);
        }
        let hits = match connection {
            Connection::Postgres(_) => self.matches().every_hit(connection)?,
            Connection::Sqlite(_) => self.hits().every_hit(connection)?,
        };
        self.rows(connection, self.sorted(connection, hits), bytes)
    }

    /// How many contacts to look at along the index of the sort before all matches are found.
    pub(super) fn worth_walking_to(&self, counted: Option<Counted>) -> u64 {
        let walk = self.limits.walk;
        let Some(Counted { matches, of }) = counted else {
            return self.window.end().saturating_mul(SPARSE).max(walk);
        };
        let lack_a_value = self.conditions.lack_a_value();
        let least = if lack_a_value { of / WALKED } else { matches }.max(walk);
        if self.window.expected(of, matches) <= least {
            return if lack_a_value { least } else { self.window.walk(of, matches).max(walk) };
        }
        // A few are looked at in any case, unless the part cannot be among them.
        if self.window.offset == 0 { walk } else { 0 }
    }

    /// The part, if a condition has few contacts: their matches are sorted.
    fn few_sorted(
        &self,
        connection: &mut Connection,
        counted: Option<Counted>,
        most: u64,
        bytes: u32,
    ) -> Result<Option<Vec<CountedRow>>, Failure> {
        if counted.is_some_and(|counted| counted.matches == 0) {
            return Ok(Some(Vec::new()));
        }
        match self.few(connection, counted, most)? {
            None => Ok(None),
            Some((_, 0)) => Ok(Some(Vec::new())),
            Some((hits, _)) => {
                self.rows(connection, self.sorted(connection, hits), bytes).map(Some)
            }
        }
    }

    /// The ids and sort keys of the part of a list without conditions.
    fn unfiltered(&self, connection: &mut Connection) -> Result<Statement, Failure> {
        let (sorts, far) = (self.query.sorts.keys(), self.limits.far);
        let behind = self.behind(" AND ", Naming::Contact(self.conditions.own_values()));
        let scope = sql!("{}{}", self.conditions.scope(), behind);
        let walked = walked(connection, self.company, sorts, scope, self.window, far)?;
        Ok(walk::unfiltered(connection, self.company, sorts, &walked.scope, &walked.window, far))
    }

    /// The ids and sort keys of the matches among this many contacts along the index.
    fn walked(&self, connection: &Connection, most: u64) -> Statement {
        let behind = self.behind(" AND ", Naming::Contact(self.conditions.own_values()));
        match connection {
            Connection::Postgres(_) => self.matches().walked(&self.window, most, behind),
            Connection::Sqlite(_) => self.hits().walked(&self.window, most, behind),
        }
    }

    /// The ids and sort keys of all matches, where a condition has at most this many contacts, and their number; unless a walk
    /// meets the part soon.
    fn few(
        &self,
        connection: &mut Connection,
        counted: Option<Counted>,
        most: u64,
    ) -> Result<Option<(Statement, u64)>, Failure> {
        let first = self.query.sorts.keys().first().and_then(|sort| column(sort.key));
        if first.is_some_and(|first| self.conditions.is_range_of(first)) {
            return Ok(None);
        }
        if let Some(counted) = counted {
            return Ok(self.few_counted(connection, counted, most));
        }
        let few = match connection {
            Connection::Postgres(_) => self.matches().few_hits(connection, most)?,
            Connection::Sqlite(_) => self.hits().few_hits(connection, most)?,
        };
        let Some((hits, count)) = few else { return Ok(None) };
        let walks = self.conditions.is_one_range()
            && self.window.is_soon(1, 1, count)
            && self.window.is_soon(stored_total(connection, self.company)?, count, count);
        Ok((!walks).then_some((hits, count)))
    }

    /// The same, where the number of matches is known.
    fn few_counted(
        &self,
        connection: &Connection,
        Counted { matches, of }: Counted,
        most: u64,
    ) -> Option<(Statement, u64)> {
        let sorts = self.query.sorts.keys();
        let are_known = self.conditions.hits_by_value(sorts).is_some();
        let most = if are_known { self.limits.few } else { most };
        let as_long = self.conditions.as_long_as_sorting(sorts, matches);
        if matches > most || self.window.is_soon(of, matches, as_long) {
            return None;
        }
        let hits = match connection {
            Connection::Postgres(_) => self.matches().hits_with_value(),
            Connection::Sqlite(_) => {
                // A window after a place does not begin at the first match.
                let window = Some(&self.window).filter(|_| self.place.is_none());
                self.hits().hits_with_value(window, matches)
            }
        };
        hits.map(|hits| (hits, matches))
    }

    /// The contacts that have a value of the field by which they are sorted, and then those that have none; with the number
    /// of all that were found.
    fn find_by_value(
        &self,
        connection: &mut Connection,
        by_value: &ByValue<'_>,
        bytes: u32,
    ) -> Result<(Vec<CountedRow>, u64), Failure> {
        if !by_value.is_of_own_ranges()
            && let Some(rows) = self.few_by_value(connection, bytes)?
        {
            let found = rows.first().map_or(0, CountedRow::total);
            return Ok((rows, found));
        }
        allow(connection, Ways::Indexes)?;
        let (limit, mut skipped) = (self.window.limit, self.window.offset);
        let is_among_values = by_value.may_have_value()
            && self.place.is_none_or(|place| place.keys.first() != Some(&KeyValue::Value(None)));
        let (mut rows, mut found) = (Vec::new(), 0);
        if is_among_values {
            (rows, found) = self.find_with_value(connection, by_value, bytes)?;
            let is_cut = u64::try_from(rows.len()).is_ok_and(|had| had < found);
            if found == limit || is_cut || !by_value.may_lack_value() {
                return Ok((rows, found));
            }
            skipped = match skipped {
                0 => 0,
                _ if found > 0 => 0,
                skipped => skipped.saturating_sub(by_value.number_with_value(connection)?),
            };
        }
        let after = self.place.filter(|_| !is_among_values);
        let window = Window { limit: limit - found, offset: skipped, ..self.window };
        let page = by_value.without_value(&window, after);
        let others = self.rows(connection, page, left_of(bytes, &rows))?;
        found += others.first().map_or(0, CountedRow::total);
        rows.extend(others);
        Ok((rows, found))
    }

    /// Those that have a value.
    fn find_with_value(
        &self,
        connection: &mut Connection,
        by_value: &ByValue<'_>,
        bytes: u32,
    ) -> Result<(Vec<CountedRow>, u64), Failure> {
        if self.query.sorts.keys().len() > 1 {
            return by_value.in_groups(connection, self, bytes);
        }
        let page = by_value.with_value(connection, &Keys::default(), &self.window, self.place);
        let rows = self.rows(connection, page, bytes)?;
        let found = rows.first().map_or(0, CountedRow::total);
        Ok((rows, found))
    }

    /// The part of a list by the values of a field, if few contacts are candidates: then to sort their matches takes less than
    /// to look at the contacts of all values.
    fn few_by_value(
        &self,
        connection: &mut Connection,
        bytes: u32,
    ) -> Result<Option<Vec<CountedRow>>, Failure> {
        if self.conditions.is_empty() {
            return Ok(None);
        }
        let few = self.limits.few;
        let counted = self.conditions.kept_total(connection, few)?;
        if let Some(rows) = self.few_sorted(connection, counted, few, bytes)? {
            return Ok(Some(rows));
        }
        let is_sqlite = matches!(connection, Connection::Sqlite(_));
        if counted.is_some() || is_sqlite || !self.conditions.has_substrings() {
            return Ok(None);
        }
        let Some(hits) = self.matches().hits_with_substrings(connection, few)? else {
            return Ok(None);
        };
        self.rows(connection, self.sorted(connection, hits), bytes).map(Some)
    }

    /// The part, if it is among this many contacts along the index of the sort. The number of matches may be known.
    pub(super) fn walk(
        &self,
        connection: &mut Connection,
        most: u64,
        counted: Option<Counted>,
        bytes: u32,
    ) -> Result<Option<Vec<CountedRow>>, Failure> {
        let page = self.walked(connection, most);
        let rows = self.rows(connection, page, bytes)?;
        let found = rows.first().map_or(0, CountedRow::total);
        let left = counted.map(|counted| counted.matches.saturating_sub(self.window.offset));
        let is_whole = found == self.window.limit
            || left.is_some_and(|left| left <= found)
            || (left.is_none() || self.place.is_some()) && self.walks_to_end(connection, most)?;
        Ok(is_whole.then_some(rows))
    }

    /// How many contacts are worth a second walk before all matches are gathered; without a total, by how many matches the
    /// database expects.
    fn longer_walk(&self, connection: &mut Connection) -> Result<u64, Failure> {
        if !self.conditions.is_covered_along(self.query.sorts.keys()) {
            return Ok(0);
        }
        let all = sql!("SELECT FROM contacts WHERE {}", self.conditions.all());
        Ok(worth_walking(expected_rows(connection, all)?))
    }

    /// Whether fewer contacts follow than a walk looks at.
    fn walks_to_end(&self, connection: &mut Connection, most: u64) -> Result<bool, Failure> {
        let behind = self.behind(" AND ", Naming::Contact(self.conditions.own_values()));
        let walk = match connection {
            Connection::Postgres(_) => self.matches().along(&self.window, most, behind),
            Connection::Sqlite(_) => self.hits().along(&self.window, most, behind),
        };
        let count = sql!("SELECT count(*) AS total FROM ({}) AS walked", walk).uncached();
        Ok(total(connection, count)? < bound(most))
    }

    /// The ids and sort keys of the part, among those of all matches.
    fn sorted(&self, connection: &Connection, hits: Statement) -> Statement {
        // SQLite must not look for them along the index of the order instead.
        let unindexed = unindexed(connection);
        let page = sql!(
            "SELECT * FROM ({}) AS matching{} ORDER BY {} LIMIT ? OFFSET ?",
            hits,
            self.behind(" WHERE ", Naming::Selected(unindexed)),
            order(self.query.sorts.keys(), self.window.from_the_end, unindexed),
        );
        page.bind(bound(self.window.limit)).bind(bound(self.window.offset))
    }

    /// That a contact follows the place, after a keyword.
    fn behind(&self, keyword: &'static str, naming: Naming) -> Option<Statement> {
        self.place.map(|place| sql!("{}{}", keyword, behind(&self.query.sorts, place, naming)))
    }

    pub(super) const fn matches(&self) -> Matches<'_> {
        let Self { company, query, conditions, limits, .. } = self;
        Matches { company: *company, query, conditions, limits: *limits }
    }

    fn hits(&self) -> Hits<'_> {
        Hits::of(self.company, self.query, self.conditions, self.limits)
    }

    /// The rows of a part whose ids and sort keys a statement finds, up to the one at which their values reach this
    /// many bytes; each with the number of all that were found. Without values, all of them.
    pub(super) fn rows(
        &self,
        connection: &mut Connection,
        page: Statement,
        bytes: u32,
    ) -> Result<Vec<CountedRow>, Failure> {
        let sorts = self.query.sorts.keys();
        if self.query.omits_values {
            let page = rows_of(connection, self.conditions, sorts, page);
            return Ok(CountedRow::all(connection.rows(page)?));
        }
        // What was found first, then its contacts by id.
        let contact = |own: &'static str| {
            let own = sql!("{}contacts.company_id = ? AND {}", unindexed(connection), own);
            looked_up(connection, "contacts", own.bind(self.company))
        };
        let select = sql!(
            "SELECT {}, part.total FROM (SELECT sized.*, count(*) OVER () AS total, \
             sum(size) OVER (ORDER BY {} ROWS UNBOUNDED PRECEDING) - size AS ahead FROM \
             (SELECT page.id, {}, octet_length(CAST(contacts.field_values AS text)) AS size \
             FROM ({}) AS page {}) AS sized) AS part \
             {} WHERE ahead < ? ORDER BY {}",
            columns(connection, Values::Read),
            order(sorts, false, "sized."),
            selected(sorts, "page."),
            page,
            contact("contacts.id = page.id"),
            contact("contacts.id = part.id"),
            order(sorts, false, "part."),
        );
        Ok(connection.rows(self.conditions.of_list(select.bind(i64::from(bytes))))?)
    }
}
