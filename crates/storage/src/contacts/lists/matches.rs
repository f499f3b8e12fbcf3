//! One page of the contacts that meet conditions, with their number, on PostgreSQL.
//!
//! The way to them is chosen by counts with a limit and forced by settings, because the planner knows neither the
//! values of one company nor, after a bulk load, anything. If the only condition is on the value of a field, or one
//! character is searched for, the kept counts have the number of matches
//! ([`matches_by_value`](super::matches_by_value)). Otherwise:
//!
//! 1. If a range of an index, or the ranges of a short search term, have few contacts, these are gathered and sorted.
//! 2. If an index of substrings serves a condition and finds few, these are gathered and sorted.
//! 3. Otherwise there are many candidates: the matches are counted, or the contacts that the condition leaves out if these
//!    are fewer, and the page is read along the index of the sort, which usually meets enough of them soon. A walk to a page
//!    far from both ends may begin near it ([`far_matches`](super::far_matches)). A walk that does not meet enough is given
//!    up, and all matches are gathered.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer};

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::ids::CompanyId;

use super::by_value::ByValue;
use super::conditions::{Alternatives, Conditions};
use super::gather::gather;
use super::left_out::WithoutLeftOut;
use super::limits::ListLimits;
use super::one_character::matches_of_one_character;
use super::order::{column, keys};
use super::page_rows::Found;
use super::value_conditions::WithValue;
use super::value_total::Counted;
use super::walk::bound;
use super::ways::{Ways, allow};
use super::window::Window;
use crate::connection::Connection;
use crate::contacts::rows::ContactRow;
use crate::counts::stored_total;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql, statement};

/// How many contacts are in a range, counted to a limit.
#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = Integer)]
    place: i32,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

/// A condition with few candidates.
pub(super) enum Few<'a> {
    InRanges(&'a Alternatives),
    WithValue(&'a WithValue),
}

/// What is selected of matches.
#[derive(Clone, Copy)]
pub(super) enum Selected {
    Ids,
    /// The ids and the sort keys.
    Keys,
}

/// A search for the matches of a query.
pub(super) struct Matches<'a> {
    pub(super) company: CompanyId,
    pub(super) query: &'a ListQuery,
    pub(super) conditions: &'a Conditions,
    pub(super) limits: ListLimits,
}

impl Matches<'_> {
    /// The page and the total.
    pub(super) fn find(&self, connection: &mut Connection) -> Result<Found, Failure> {
        if let Some(counted) = self.conditions.kept_total(connection, self.limits.few)? {
            return self.find_counted(connection, counted);
        }
        let few = self.limits.few;
        let kept = matches_of_one_character(connection, self.company, self.query)?;
        let known = match kept.filter(|matches| *matches > few) {
            None => self.conditions.counted_by_domains(connection, few)?,
            many => many,
        };
        if known.is_none()
            && let Some(found) = self.find_few(connection)?
        {
            return Ok(found);
        }
        let without = self.conditions.counted_without_left_out(connection)?;
        if without.is_none()
            && let Some(found) = self.find_by_join(connection)?
        {
            return Ok(found);
        }
        let known = known.or(without.map(|it| it.matches));
        let total = known.map_or_else(|| self.count(connection), Ok)?;
        let page = self.query.page;
        let Some(window) = Window::of(total, page.offset(), page.size().into()) else {
            return Ok(Found { total, rows: Vec::new() });
        };
        if let Some(by_value) = ByValue::of(self.company, self.query, self.conditions, self.limits)
        {
            allow(connection, Ways::Indexes)?;
            return Ok(Found { total, rows: by_value.page(connection, total)? });
        }
        if let Some(rows) = self.far_or_walked(connection, &window, total, without)? {
            return Ok(Found { total, rows });
        }
        self.gather_all(connection)
    }

    /// The page of this many matches along the index of the sort, if a walk meets it soon: from the nearer end, or beginning
    /// near the page.
    fn far_or_walked(
        &self,
        connection: &mut Connection,
        window: &Window,
        total: u64,
        without: Option<WithoutLeftOut>,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        if window.offset > 0 && self.conditions.are_on_values() {
            let counted = Counted { matches: total, of: stored_total(connection, self.company)? };
            if let Some(rows) = self.far_page(connection, window, counted)? {
                return Ok(Some(rows));
            }
        }
        if !self.is_worth_walking(connection, window, total)? {
            return Ok(None);
        }
        match without {
            Some(without) => self.walk_past(connection, window, without),
            None => self.walk(connection, window, total),
        }
    }

    /// The same, if a condition has few candidates, or the index of substrings finds few.
    fn find_few(&self, connection: &mut Connection) -> Result<Option<Found>, Failure> {
        let most = self.limits.few;
        if let Some((few, count)) = self.few(connection, most)? {
            if let Some(found) = self.soon(connection, count)? {
                return Ok(Some(found));
            }
            let found = self.gather(connection, self.hits_of(&few), u64::MAX)?;
            return found.map_or_else(|| self.past_the_last(connection, &few), Ok).map(Some);
        }
        if !self.conditions.has_substrings() {
            return Ok(None);
        }
        let Some(hits) = self.hits_with_substrings(connection, most)? else { return Ok(None) };
        self.gather(connection, sql!("SELECT * FROM ({}) AS matching", hits), most)
    }

    /// The ids of all matches with their sort keys.
    pub(super) fn every_hit(&self, connection: &mut Connection) -> Result<Statement, Failure> {
        match self.few_hits(connection, self.limits.few)? {
            Some((hits, _count)) => Ok(hits),
            None => self.many(connection),
        }
    }

    /// The same, and the number of candidates among which they are, if a condition has at most this many.
    pub(super) fn few_hits(
        &self,
        connection: &mut Connection,
        most: u64,
    ) -> Result<Option<(Statement, u64)>, Failure> {
        let few = self.few(connection, most)?;
        Ok(few.map(|(few, count)| (self.hits_of(&few), count)))
    }

    /// The same, where no condition has few.
    fn many(&self, connection: &mut Connection) -> Result<Statement, Failure> {
        let sorts = self.query.sorts.keys();
        if let Some(hits) = self.conditions.hits_by_value(sorts) {
            allow(connection, Ways::Indexes)?;
            return Ok(hits);
        }
        let are_columns = sorts.iter().all(|sort| column(sort.key).is_some());
        let has_ids = self.conditions.covering(&[]).is_some() || self.conditions.are_ranges();
        if are_columns && !self.are_keys_covered() && has_ids {
            self.looked_up(connection)
        } else {
            self.all_matches(connection, Selected::Keys)
        }
    }

    fn gather_all(&self, connection: &mut Connection) -> Result<Found, Failure> {
        let hits = self.many(connection)?;
        let found =
            self.gather(connection, sql!("SELECT * FROM ({}) AS matching", hits), u64::MAX)?;
        found.map_or_else(|| self.past_the_end(connection), Ok)
    }

    pub(super) fn gather(
        &self,
        connection: &mut Connection,
        hits: Statement,
        most: u64,
    ) -> Result<Option<Found>, Failure> {
        gather(connection, self.company, self.query, hits, most)
    }

    /// The number of matches alone, of which a condition has few candidates.
    fn past_the_last(&self, connection: &mut Connection, few: &Few<'_>) -> Result<Found, Failure> {
        let count = sql!("SELECT count(*) AS total FROM ({}) AS hits", self.hits_of(few));
        let total = total(connection, count.uncached())?;
        Ok(Found { total: u64::try_from(total).unwrap_or_default(), rows: Vec::new() })
    }

    /// Their number alone.
    pub(super) fn past_the_end(&self, connection: &mut Connection) -> Result<Found, Failure> {
        Ok(Found { total: self.count(connection)?, rows: Vec::new() })
    }

    /// The page along the index of the sort, where the candidates are all matches and so many that a short walk meets
    /// enough of them.
    fn soon(&self, connection: &mut Connection, count: u64) -> Result<Option<Found>, Failure> {
        let page = self.query.page;
        let window = Window::of(count, page.offset(), page.size().into());
        let is_likely = |it: &Window| self.conditions.is_one_range() && it.is_soon(1, 1, count);
        let Some(window) = window.filter(is_likely) else { return Ok(None) };
        if ByValue::of(self.company, self.query, self.conditions, self.limits).is_some()
            || !window.is_soon(stored_total(connection, self.company)?, count, count)
        {
            return Ok(None);
        }
        let rows = self.walk(connection, &window, count)?;
        Ok(rows.map(|rows| Found { total: count, rows }))
    }

    /// The condition whose ranges have the fewest contacts, if these are at most this many, and how many they are.
    fn few(
        &self,
        connection: &mut Connection,
        most: u64,
    ) -> Result<Option<(Few<'_>, u64)>, Failure> {
        let alternatives = self.conditions.alternatives();
        let values: Vec<&WithValue> = self.conditions.values().filter(|it| it.is_range).collect();
        let of_values = values.iter().enumerate().map(|(place, value)| {
            sql!(
                "SELECT {} AS place, count(*) AS total FROM (SELECT FROM {} ORDER BY sort_key LIMIT {}) AS bounded",
                alternatives.len() + place,
                &value.rows,
                most.saturating_add(1),
            )
        });
        let counts: Vec<Statement> = alternatives
            .iter()
            .enumerate()
            .flat_map(|(place, it)| it.ranges.iter().map(move |range| (place, range)))
            .map(|(place, range)| {
                sql!(
                    "SELECT {} AS place, count(*) AS total FROM (SELECT FROM contacts WHERE {} AND {} \
                     ORDER BY {} LIMIT {}) AS bounded",
                    place,
                    self.conditions.scope(),
                    &range.condition,
                    range.column,
                    most.saturating_add(1),
                )
            })
            .chain(of_values)
            .collect();
        if counts.is_empty() {
            return Ok(None);
        }
        let counts: Vec<Count> = connection.rows(joined(counts, " UNION ALL ").uncached())?;
        let of = |place: usize| -> i64 {
            let counts = counts.iter().filter(|count| usize::try_from(count.place) == Ok(place));
            counts.map(|count| count.total).sum()
        };
        let ways = alternatives.iter().map(Few::InRanges);
        let ways = ways.chain(values.into_iter().map(Few::WithValue));
        let fewest = ways.enumerate().min_by_key(|(place, _)| of(*place));
        let few = fewest.filter(|(place, _)| of(*place) <= bound(most));
        Ok(few.map(|(place, way)| (way, u64::try_from(of(place)).unwrap_or_default())))
    }

    pub(super) fn hits_of(&self, few: &Few<'_>) -> Statement {
        match few {
            Few::InRanges(ranges) => self.hits_in(ranges, &self.keys()),
            Few::WithValue(value) => {
                let hits = self.conditions.hits_with(value, self.query.sorts.keys());
                hits.unwrap_or_else(|| self.conditions.found_by(value, &self.keys()))
            }
        }
    }

    /// The id and the sort keys.
    pub(super) fn keys(&self) -> Statement {
        sql!("id, {}", keys(self.conditions.own_values(), self.query.sorts.keys()))
    }

    /// All matches, by the indexes of these ranges.
    fn hits_in(&self, alternatives: &Alternatives, columns: &Statement) -> Statement {
        let each = alternatives.ranges.iter().map(|range| {
            let all = self.conditions.all_in(alternatives, range);
            sql!("(SELECT {} FROM contacts WHERE {} ORDER BY {})", columns, all, range.column)
        });
        sql!("SELECT * FROM ({}) AS matching", joined(each, " UNION "))
    }

    /// The attributes that are selected with the ids.
    pub(super) fn needed(&self, what: Selected) -> Vec<&'static str> {
        match what {
            Selected::Ids => Vec::new(),
            Selected::Keys => {
                self.query.sorts.keys().iter().filter_map(|sort| column(sort.key)).collect()
            }
        }
    }

    pub(super) fn count(&self, connection: &mut Connection) -> Result<u64, Failure> {
        allow(connection, Ways::Indexes)?;
        if let Some(count) = self.conditions.counted_by_values(connection)? {
            return Ok(count);
        }
        if let Some(count) = self.conditions.counted_by_left_out(connection)? {
            return Ok(count);
        }
        if let Some(count) = self.conditions.counted_in_domains(connection)? {
            return Ok(count);
        }
        let matches = self.all_matches(connection, Selected::Ids)?;
        let count = sql!("SELECT count(*) AS total FROM ({} OFFSET 0) AS matching", matches);
        Ok(u64::try_from(total(connection, count.uncached())?).unwrap_or_default())
    }

    /// All matches: by an index that has all tested columns, by the ranges of a short search term, or by sets of rows.
    pub(super) fn all_matches(
        &self,
        connection: &mut Connection,
        what: Selected,
    ) -> Result<Statement, Failure> {
        let alternatives = self.conditions.alternatives();
        let columns = match what {
            Selected::Ids => statement("id"),
            Selected::Keys => self.keys(),
        };
        if let Some(joined) = self.matches_by_join(connection, what)? {
            return Ok(joined);
        }
        let all = sql!("SELECT {} FROM contacts WHERE {}", &columns, self.conditions.all());
        if let Some(column) = self.conditions.best_covering(connection, &self.needed(what))? {
            allow(connection, Ways::Indexes)?;
            return Ok(sql!("{} ORDER BY {}", all, column));
        }
        if self.conditions.has_substrings() {
            return self.all_with_substrings(connection, what);
        }
        if let Some(value) =
            self.conditions.values().next().filter(|_| !self.conditions.has_columns())
        {
            allow(connection, Ways::Indexes)?;
            return Ok(self.conditions.found_by(value, &columns));
        }
        if let Selected::Ids = what
            && let Some(ids) = self.conditions.intersected_ranges()
        {
            allow(connection, Ways::Joins)?;
            return Ok(ids);
        }
        if let Some(several) = alternatives.iter().find(|it| it.ranges.len() > 1) {
            allow(connection, Ways::Indexes)?;
            return Ok(self.hits_in(several, &columns));
        }
        if alternatives.is_empty() {
            allow(connection, Ways::Indexes)?;
            return Ok(all);
        }
        allow(connection, Ways::Bitmaps)?;
        let (columns, all) = (self.by_bitmaps(what), self.conditions.all_by_bitmaps());
        Ok(sql!("SELECT {} FROM contacts WHERE {}", columns, all))
    }
}
