//! One page of the contacts that meet conditions, with their number, on SQLite.
//!
//! The candidates are read once, which gives the number of matches and the sorted page, unless there are many matches.
//! Then these are counted, and the page is looked for among the first contacts in the order of the sort. If these have
//! too few matches, all matches are sorted. So the cost of a page is bounded by that of the count, regardless of the
//! order. If the only condition is on the value of a field, or one character is searched for, the kept counts have the
//! number of matches.

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::ids::CompanyId;

use super::by_value::ByValue;
use super::candidates::{Candidates, number_in};
use super::conditions::Conditions;
use super::gather::gather;
use super::limits::ListLimits;
use super::one_character::matches_of_one_character;
use super::order::{column, index, keys, order, values};
use super::page_rows::{Found, rows_of};
use super::value_total::Counted;
use super::walk::{EVERY, bound};
use super::window::Window;
use crate::connection::Connection;
use crate::contacts::rows::ContactRow;
use crate::counts::stored_total;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql};

/// If there are more candidates than the number of the company's contacts divided by this, they are not looked up: all
/// contacts are read along the index that has all searched texts. Looking up a contact takes three to ten times as long
/// as reading one there.
const PART_LOOKED_UP: u64 = 16;

/// The candidates of each condition are first counted up to this many.
const AT_FIRST: u64 = 1000;

/// A walk reads at most the number of matches, divided by this, before all matches are read and sorted.
const WORTH: u64 = 8;

/// A list with conditions, and where its matches are looked for.
pub(super) struct Hits<'a> {
    company: CompanyId,
    query: &'a ListQuery,
    conditions: &'a Conditions,
    candidates: Candidates<'a>,
    limits: ListLimits,
}

impl<'a> Hits<'a> {
    pub(super) fn of(
        company: CompanyId,
        query: &'a ListQuery,
        conditions: &'a Conditions,
        limits: ListLimits,
    ) -> Self {
        let candidates = Candidates::of(query, conditions);
        Self { company, query, conditions, candidates, limits }
    }

    /// The ids of all matches with their sort keys.
    pub(super) fn every_hit(mut self, connection: &mut Connection) -> Result<Statement, Failure> {
        self.choose(connection)?;
        Ok(self.hits())
    }

    /// The same, and the number of candidates among which they are, if a condition has at most this many.
    pub(super) fn few_hits(
        mut self,
        connection: &mut Connection,
        most: u64,
    ) -> Result<Option<(Statement, u64)>, Failure> {
        let Some((candidates, count)) = self.fewest(connection, most)? else { return Ok(None) };
        self.candidates = candidates;
        Ok(Some((self.hits(), count)))
    }

    /// The ids and sort keys of the matches, found by the first condition that a field has a certain value; of many matches
    /// only those that may be in the window, if it is given.
    pub(super) fn hits_with_value(
        &self,
        window: Option<&Window>,
        matches: u64,
    ) -> Option<Statement> {
        let sorts = self.query.sorts.keys();
        let near = window.and_then(|window| self.conditions.hits_near(sorts, window, matches));
        near.or_else(|| self.conditions.values().next().map(|_value| self.hits()))
    }

    /// The page and the total.
    pub(super) fn find(mut self, connection: &mut Connection) -> Result<Found, Failure> {
        if let Some(counted) = self.conditions.kept_total(connection, self.limits.few)? {
            return self.find_counted(connection, counted);
        }
        let few = self.limits.few;
        let kept = matches_of_one_character(connection, self.company, self.query)?;
        let counted = kept.filter(|matches| *matches > few);
        let are_many =
            counted.is_some() || self.choose(connection)? || self.are_many(connection)?;
        if !are_many
            && let Some(found) = gather(connection, self.company, self.query, self.hits(), few)?
        {
            return Ok(found);
        }
        let total = match counted {
            Some(total) => total,
            None => self.total(connection)?,
        };
        let page = self.query.page;
        let Some(window) = Window::of(total, page.offset(), page.size().into()) else {
            return Ok(Found { total, rows: Vec::new() });
        };
        if let Some(by_value) = ByValue::of(self.company, self.query, self.conditions, self.limits)
        {
            return Ok(Found { total, rows: by_value.page(connection, total)? });
        }
        let most = self.worth_walking_to(connection, &window, total)?;
        Ok(Found { total, rows: self.page(connection, &window, total, Some(most))? })
    }

    /// How many contacts to look at along the index of the sort for the page of this many matches, before all of these
    /// are sorted: few of them, or up to twice as many as are expected where a page far from both ends needs more.
    fn worth_walking_to(
        &self,
        connection: &mut Connection,
        window: &Window,
        total: u64,
    ) -> Result<u64, Failure> {
        let soon = self.limits.walk.max(total / WORTH);
        if window.end() <= soon / WORTH {
            return Ok(soon);
        }
        let expected = window.expected(stored_total(connection, self.company)?, total);
        let is_worth = expected <= total;
        Ok(if is_worth { soon.max(expected.saturating_mul(2).min(total)) } else { soon })
    }

    /// The page of this many matches of a condition on the value of a field.
    fn find_counted(
        &self,
        connection: &mut Connection,
        counted: Counted,
    ) -> Result<Found, Failure> {
        let total = counted.matches;
        let page = self.query.page;
        let Some(window) = Window::of(total, page.offset(), page.size().into()) else {
            return Ok(Found { total, rows: Vec::new() });
        };
        let lacks = self.conditions.lack_a_value();
        let walk = match ByValue::of(self.company, self.query, self.conditions, self.limits) {
            Some(by_value) if lacks || total > self.limits.few || by_value.is_of_own_ranges() => {
                return Ok(Found { total, rows: by_value.page(connection, total)? });
            }
            Some(_) => None,
            None => self.worth_walking(&window, counted),
        };
        Ok(Found { total, rows: self.page(connection, &window, total, walk)? })
    }

    /// The rows of the page: along the index of the sort, if they are among this many contacts there, otherwise of all
    /// matches, sorted.
    fn page(
        &self,
        connection: &mut Connection,
        window: &Window,
        total: u64,
        walk: Option<u64>,
    ) -> Result<Vec<ContactRow>, Failure> {
        if let Some(most) = walk {
            let walked = self.rows_of(connection, self.walked(window, most, None));
            let rows: Vec<ContactRow> = connection.rows(walked)?;
            if u64::try_from(rows.len()).is_ok_and(|found| found == window.limit) {
                return Ok(rows);
            }
        }
        let sorted = self.rows_of(connection, self.sorted(window, total));
        Ok(connection.rows(sorted)?)
    }

    /// How many contacts to look at along the index of the sort, where that is less than to sort all matches.
    fn worth_walking(&self, window: &Window, Counted { matches, of }: Counted) -> Option<u64> {
        if self.conditions.lack_a_value() {
            // They are found by looking at each contact, until the page is complete.
            return Some(EVERY);
        }
        let most = self.conditions.as_long_as_sorting(self.query.sorts.keys(), matches);
        window.is_soon(of, matches, most).then(|| window.walk(of, matches).min(of))
    }

    /// Chooses where the matches are looked for. Returns whether they are counted before any is read: because all contacts are
    /// looked at, or because more of them have the searched texts than are gathered.
    fn choose(&mut self, connection: &mut Connection) -> Result<bool, Failure> {
        let few = self.limits.few;
        let is_by_trigrams = matches!(self.candidates, Candidates::Containing(_));
        if !is_by_trigrams && self.conditions.is_one() {
            return Ok(false);
        }
        if let Some((fewest, _)) = self.fewest(connection, few.min(AT_FIRST))? {
            self.candidates = fewest;
            return Ok(false);
        }
        let of = stored_total(connection, self.company)?;
        // The texts of all companies have one index: to look at each contact of a small company takes less.
        if let Some((fewest, _)) = self.fewest(connection, few.min(of))? {
            self.candidates = fewest;
            return Ok(false);
        }
        let worth = of / PART_LOOKED_UP;
        if worth > few
            && let Some((fewest, _)) = self.fewest(connection, worth)?
        {
            self.candidates = fewest;
            return Ok(self.conditions.are_substrings());
        }
        if matches!(self.candidates, Candidates::WithValue(_))
            || self.conditions.index_of_tested().is_none()
        {
            return Ok(false);
        }
        self.candidates = Candidates::Company;
        Ok(of > few)
    }

    /// The candidates of the condition that has the fewest, and how many these are, if there are at most this many.
    fn fewest(
        &self,
        connection: &mut Connection,
        most: u64,
    ) -> Result<Option<(Candidates<'a>, u64)>, Failure> {
        let ranges = self.conditions.alternatives().iter();
        let ranges = ranges.map(|it| Candidates::InRanges(it.ranges.as_slice()));
        let values = self.conditions.values().map(Candidates::WithValue);
        let is_by_trigrams = matches!(self.candidates, Candidates::Containing(_));
        let by_trigrams = is_by_trigrams.then(|| self.candidates.clone());
        let mut fewest: Option<(Candidates<'a>, u64)> = None;
        for candidates in by_trigrams.into_iter().chain(ranges).chain(values) {
            let most = fewest.as_ref().map_or(most, |(_, count)| count.saturating_sub(1));
            if let Some(count) = self.number_of(connection, &candidates, most)? {
                fewest = Some((candidates, count));
            }
        }
        Ok(fewest)
    }

    /// How many candidates there are, if that can be counted and there are at most this many.
    fn number_of(
        &self,
        connection: &mut Connection,
        candidates: &Candidates<'_>,
        most: u64,
    ) -> Result<Option<u64>, Failure> {
        let Some(counted) = candidates.counted(self.conditions, most) else { return Ok(None) };
        let count = u64::try_from(total(connection, counted.uncached())?).unwrap_or_default();
        Ok(Some(count).filter(|count| *count <= most))
    }

    /// Whether the only condition is known to have more matches than are gathered: one of its ranges of indexes has, or it
    /// leaves out a range.
    fn are_many(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let few = self.limits.few;
        let ranges = self.conditions.only_ranges();
        if !ranges.is_empty() {
            let counts =
                ranges.iter().map(|range| self.conditions.counted_in(connection, range, few));
            let counts = joined(counts, " UNION ALL ");
            let most = sql!("SELECT max(total) AS total FROM ({})", counts).uncached();
            return Ok(u64::try_from(total(connection, most)?).is_ok_and(|most| most > few));
        }
        let are_left_out = !self.conditions.left_out().is_empty();
        Ok(are_left_out && stored_total(connection, self.company)? > few)
    }

    fn total(&self, connection: &mut Connection) -> Result<u64, Failure> {
        if let Some(count) = self.conditions.counted_by_values(connection)? {
            return Ok(count);
        }
        if let Some(count) = self.conditions.counted_by_left_out(connection)? {
            return Ok(count);
        }
        Ok(u64::try_from(total(connection, self.counted())?).unwrap_or_default())
    }

    fn counted(&self) -> Statement {
        let counted = match self.candidates {
            Candidates::InRanges(ranges) if self.conditions.is_one_beginning() => {
                number_in(ranges, self.conditions)
            }
            _ => {
                let rows = self.candidates.rows(self.conditions);
                sql!("SELECT count(*) AS total FROM {} WHERE {}", rows, self.tests())
            }
        };
        counted.uncached()
    }

    /// The page, if the first contacts in its order have it. They are read in the order of the index, and so are the
    /// matches among them.
    pub(super) fn walked(
        &self,
        window: &Window,
        most: u64,
        behind: Option<Statement>,
    ) -> Statement {
        let page = sql!(
            "SELECT id, {} FROM ({}) AS contacts WHERE {} LIMIT ? OFFSET ?",
            keys(self.conditions.own_values(), self.query.sorts.keys()),
            self.along(window, most, behind),
            self.conditions.tests(),
        );
        page.bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// The first contacts in the order of the sort, those that do not match included. Conditions on what is sorted by
    /// limit them.
    pub(super) fn along(&self, window: &Window, most: u64, behind: Option<Statement>) -> Statement {
        let sorts = self.query.sorts.keys();
        let first = sorts.first().and_then(|sort| column(sort.key));
        let walk = sql!(
            "SELECT *{} FROM contacts INDEXED BY {} WHERE {}{}{} ORDER BY {} LIMIT ?",
            values(self.conditions.own_values(), sorts),
            sorts.first().map(|sort| index(sort.key)),
            self.conditions.scope(),
            first.map(|first| self.conditions.ranges_of(first)),
            behind,
            order(sorts, window.from_the_end, ""),
        );
        walk.bind(bound(most))
    }

    /// The page of all matches, sorted.
    fn sorted(&self, window: &Window, total: u64) -> Statement {
        let sorts = self.query.sorts.keys();
        let near = self.conditions.hits_near(sorts, window, total);
        let order = order(sorts, window.from_the_end, "+contacts.");
        let hits = near.unwrap_or_else(|| self.hits());
        let page = sql!("{} ORDER BY {} LIMIT ? OFFSET ?", hits, order);
        page.bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// The ids of the matches with their sort keys.
    fn hits(&self) -> Statement {
        let sorts = self.query.sorts.keys();
        let known = match self.candidates {
            Candidates::WithValue(value) => self.conditions.hits_with(value, sorts),
            _ => self.conditions.hits_by_value(sorts),
        };
        if let Some(hits) = known {
            return hits;
        }
        sql!(
            "SELECT id, {} FROM {} WHERE {}",
            keys(self.conditions.own_values(), sorts),
            self.candidates.rows(self.conditions),
            self.tests(),
        )
    }

    /// What is tested on each candidate.
    fn tests(&self) -> Statement {
        match self.candidates {
            Candidates::WithValue(value) => self.conditions.all_besides(value),
            Candidates::Containing(_) | Candidates::InRanges(_) | Candidates::Company => {
                self.conditions.all()
            }
        }
    }

    fn rows_of(&self, connection: &Connection, page: Statement) -> Statement {
        rows_of(connection, self.conditions, self.query.sorts.keys(), page)
    }
}
