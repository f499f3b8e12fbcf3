//! One page of the contacts that meet conditions, with their number, on SQLite.
//!
//! The candidates are read once, which gives the number of matches and the sorted page, unless there are many matches.
//! Then these are counted, and the page is looked for among the first contacts in the order of the sort. If these have
//! too few matches, all matches are sorted. So the cost of a page is bounded by that of the count, whatever the order.
//! If the only condition is on the value of a field, or one character is searched for, the kept counts have the number of
//! matches.

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
use super::rows::ContactRow;
use super::value_total::Counted;
use super::walk::{EVERY, bound};
use super::window::Window;
use crate::connection::Connection;
use crate::counts::stored_total;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql};

/// A walk reads up to this part of as many contacts as match, before all of these are read and sorted.
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

    /// The same, and the number of candidates among which they are, if a condition has at most so many.
    pub(super) fn few_hits(
        mut self,
        connection: &mut Connection,
        most: u64,
    ) -> Result<Option<(Statement, u64)>, Failure> {
        let ranges = self.conditions.alternatives().iter();
        let ranges = ranges.map(|it| Candidates::InRanges(it.ranges.as_slice()));
        let ways: Vec<_> = ranges.chain([self.candidates]).collect();
        for candidates in ways.into_iter().filter(Candidates::are_counted_soon) {
            let numbers = candidates.numbers(self.conditions, Some(most.saturating_add(1)));
            let Some(numbers) = numbers else { continue };
            let counted = sql!("SELECT count(*) AS total FROM ({})", numbers).uncached();
            let count = u64::try_from(total(connection, counted)?).unwrap_or_default();
            if count <= most {
                self.candidates = candidates;
                return Ok(Some((self.hits(), count)));
            }
        }
        Ok(None)
    }

    /// The ids and sort keys of the matches, found by the first condition that a field has a certain value.
    pub(super) fn hits_with_value(&self) -> Option<Statement> {
        self.conditions.values().next().map(|_value| self.hits())
    }

    /// The page and the total.
    pub(super) fn find(mut self, connection: &mut Connection) -> Result<Found, Failure> {
        if let Some(counted) = self.conditions.kept_total(connection, self.limits.few)? {
            return self.find_counted(connection, counted);
        }
        let few = self.limits.few;
        let kept = matches_of_one_character(connection, self.company, self.query)?;
        let kept = kept.filter(|matches| *matches > few);
        let counted = if kept.is_none() && self.choose(connection)? {
            self.conditions.counted_along_texts(connection, self.limits.walk)?
        } else {
            kept
        };
        if counted.is_none()
            && !self.are_many(connection)?
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
        let sorts = self.query.sorts.keys();
        if let Some(by_value) = ByValue::of(self.company, sorts, self.conditions) {
            return Ok(Found { total, rows: by_value.page(connection, page, total)? });
        }
        let most = self.limits.walk.max(total / WORTH);
        Ok(Found { total, rows: self.page(connection, &window, Some(most))? })
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
        let sorts = self.query.sorts.keys();
        let lacks = self.conditions.lack_a_value();
        let walk = match ByValue::of(self.company, sorts, self.conditions) {
            Some(by_value) if lacks || total > self.limits.few => {
                return Ok(Found { total, rows: by_value.page(connection, page, total)? });
            }
            Some(_) => None,
            None => self.worth_walking(&window, counted),
        };
        Ok(Found { total, rows: self.page(connection, &window, walk)? })
    }

    /// The rows of the page: along the index of the sort, if they are among so many contacts there, otherwise of all matches,
    /// sorted.
    fn page(
        &self,
        connection: &mut Connection,
        window: &Window,
        walk: Option<u64>,
    ) -> Result<Vec<ContactRow>, Failure> {
        if let Some(most) = walk {
            let walked = self.rows_of(self.walked(window, most, None));
            let rows: Vec<ContactRow> = connection.rows(walked)?;
            if u64::try_from(rows.len()).is_ok_and(|found| found == window.limit) {
                return Ok(rows);
            }
        }
        Ok(connection.rows(self.rows_of(self.sorted(window)))?)
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

    /// Whether the index of trigrams finds more contacts than are gathered. If the company has fewer, its contacts are looked at
    /// instead.
    fn choose(&mut self, connection: &mut Connection) -> Result<bool, Failure> {
        let few = self.limits.few;
        let found = match self.candidates {
            Candidates::Containing(_) => self.candidates.numbers(self.conditions, Some(few + 1)),
            Candidates::InRanges(_) | Candidates::WithValue(_) | Candidates::Company => None,
        };
        let Some(found) = found else { return Ok(false) };
        let found =
            total(connection, sql!("SELECT count(*) AS total FROM ({})", found).uncached())?;
        if u64::try_from(found).is_ok_and(|found| found <= few) {
            return Ok(false);
        }
        let are_others = stored_total(connection, self.company)? <= few;
        if are_others {
            self.candidates = Candidates::Company;
        }
        Ok(!are_others)
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
            keys(self.company, self.query.sorts.keys()),
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
            values(self.company, sorts),
            sorts.first().map(|sort| index(sort.key)),
            self.conditions.scope(),
            first.map(|first| self.conditions.ranges_of(first)),
            behind,
            order(sorts, window.from_the_end, ""),
        );
        walk.bind(bound(most))
    }

    /// The page of all matches, sorted.
    fn sorted(&self, window: &Window) -> Statement {
        let order = order(self.query.sorts.keys(), window.from_the_end, "+contacts.");
        let page = sql!("{} ORDER BY {} LIMIT ? OFFSET ?", self.hits(), order);
        page.bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// The ids of the matches with their sort keys.
    fn hits(&self) -> Statement {
        let sorts = self.query.sorts.keys();
        if let Some(hits) = self.conditions.hits_by_value(sorts) {
            return hits;
        }
        sql!(
            "SELECT id, {} FROM {} WHERE {}",
            keys(self.company, sorts),
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

    fn rows_of(&self, page: Statement) -> Statement {
        rows_of(self.conditions, self.query.sorts.keys(), page)
    }
}
