//! One page of a list with conditions on SQLite.
//!
//! The candidates are read once, which gives the number of matches and the sorted page, unless there are many matches.
//! Then they are counted, and the page is looked for among the first contacts in the order of the sort. If these have
//! too few matches, all matches are sorted. So the cost of a page is bounded by that of the count, whatever the order.

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::ids::CompanyId;

use super::candidates::Candidates;
use super::conditions::Conditions;
use super::gather::GatheredRow;
use super::limits::ListLimits;
use super::list::{Found, columns, stored_total};
use super::order::{column, index, order};
use super::rows::ContactRow;
use super::walk::bound;
use super::window::Window;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql};

/// The most matches that are gathered, and the most contacts that are walked in the order of the sort.
const MOST: u64 = 20_000;

/// A list, and where its matches are looked for.
pub(super) struct SqliteList<'a> {
    company: CompanyId,
    query: &'a ListQuery,
    candidates: Candidates,
    few: u64,
}

impl<'a> SqliteList<'a> {
    pub(super) fn of(company: CompanyId, query: &'a ListQuery, limits: ListLimits) -> Self {
        Self { company, query, candidates: Candidates::of(query), few: limits.few.min(MOST) }
    }

    /// The number of matches, and the rows of the page.
    pub(super) fn find(mut self, connection: &mut Connection) -> Result<Found, Failure> {
        if self.finds_others(connection)? {
            self.candidates = Candidates::Company;
        }
        let gathered: Vec<GatheredRow> = connection.rows(self.gathered(connection))?;
        let hits = match gathered.first() {
            Some(row) => u64::try_from(row.hits.total).unwrap_or_default(),
            None if self.query.page.offset() == 0 => 0,
            None => self.few + 1,
        };
        if hits <= self.few {
            let rows = gathered.into_iter().map(|row| row.contact).collect();
            return Ok(Found { total: hits, rows });
        }
        let count = self.counted(connection);
        let total = u64::try_from(total(connection, count)?).unwrap_or_default();
        let page = &self.query.page;
        let Some(window) = Window::of(total, page.offset(), page.size().into()) else {
            return Ok(Found { total, rows: Vec::new() });
        };
        let mut rows: Vec<ContactRow> = connection.rows(self.walked(connection, &window))?;
        if !u64::try_from(rows.len()).is_ok_and(|found| found == window.limit) {
            rows = connection.rows(self.sorted(connection, &window))?;
        }
        Ok(Found { total, rows })
    }

    /// Whether the index of trigrams finds more contacts than the company has, when that has few.
    fn finds_others(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let Candidates::Containing(_) = self.candidates else { return Ok(false) };
        let Some(found) = self.candidates.numbers(connection, self.company, Some(self.few + 1))
        else {
            return Ok(false);
        };
        let found = sql!("SELECT count(*) AS total FROM ({})", found).uncached();
        if total(connection, found)? <= bound(self.few) {
            return Ok(false);
        }
        Ok(stored_total(connection, self.company)? <= self.few)
    }

    /// All matches, unless there are more than a few: their number, and the rows of the page.
    fn gathered(&self, connection: &Connection) -> Statement {
        // Each of the indexes of a beginning finds all of its matches, or more than a few. The index of trigrams may
        // find any number of contacts that another condition leaves out.
        let most = match self.candidates {
            Candidates::Beginning(_) if self.is_beginning_alone() => Some(self.few + 1),
            _ => None,
        };
        let page = sql!(
            "WITH hits AS MATERIALIZED ({} LIMIT {}), page AS (SELECT * FROM hits ORDER BY {} LIMIT ? OFFSET ?) \
             SELECT {}, (SELECT count(*) FROM hits) AS total FROM page \
             JOIN contacts ON contacts.id = page.id ORDER BY {}",
            self.hits(connection, most),
            self.few + 1,
            self.order(false, ""),
            columns(),
            self.order(false, "page."),
        );
        let size = i64::from(self.query.page.size());
        page.uncached().bind(size).bind(bound(self.query.page.offset()))
    }

    fn counted(&self, connection: &Connection) -> Statement {
        let alone = self.is_beginning_alone();
        let numbers = self.candidates.numbers(connection, self.company, None).filter(|_| alone);
        let counted = if let Some(numbers) = numbers {
            sql!("SELECT count(*) AS total FROM ({})", numbers)
        } else {
            sql!(
                "SELECT count(*) AS total FROM {} WHERE {}",
                self.candidates.rows(connection, self.company, None),
                self.conditions_of_candidates(connection).all(),
            )
        };
        counted.uncached()
    }

    /// The page, if the first contacts in its order have it. They are read in the order of the index, and so are the
    /// matches among them.
    fn walked(&self, connection: &Connection, window: &Window) -> Statement {
        let first = self.query.sorts.keys().first().map(|sort| index(sort.key));
        let walk = sql!(
            "SELECT * FROM contacts INDEXED BY {} WHERE {} ORDER BY {} LIMIT {}",
            first,
            Conditions::of_company(connection, self.company).all(),
            self.order(window.from_the_end, ""),
            self.few,
        );
        let page = sql!(
            "SELECT {} FROM (SELECT contacts.id, {} FROM ({}) AS contacts WHERE {} LIMIT ? OFFSET ?) AS page \
             JOIN contacts ON contacts.id = page.id ORDER BY {}",
            columns(),
            self.keys(),
            walk,
            Conditions::of(connection, self.company, self.query).all(),
            self.order(false, "page."),
        );
        page.uncached().bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// The page of all matches, sorted.
    fn sorted(&self, connection: &Connection, window: &Window) -> Statement {
        let page = sql!(
            "SELECT {} FROM ({} ORDER BY {} LIMIT ? OFFSET ?) AS page \
             JOIN contacts ON contacts.id = page.id ORDER BY {}",
            columns(),
            self.hits(connection, None),
            self.order(window.from_the_end, "+contacts."),
            self.order(false, "page."),
        );
        page.uncached().bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// The ids of the matches with their sort keys.
    fn hits(&self, connection: &Connection, most: Option<u64>) -> Statement {
        sql!(
            "SELECT contacts.id, {} FROM {} WHERE {}",
            self.keys(),
            self.candidates.rows(connection, self.company, most),
            self.conditions_of_candidates(connection).all(),
        )
    }

    fn conditions_of_candidates(&self, connection: &Connection) -> Conditions {
        match self.candidates {
            Candidates::Containing(_) => Conditions::of_found(connection, self.company, self.query),
            _ => Conditions::of(connection, self.company, self.query),
        }
    }

    fn keys(&self) -> Statement {
        let keys = self.query.sorts.keys().iter();
        joined(keys.map(|sort| sql!("contacts.{}", column(sort.key))), ", ")
    }

    fn order(&self, turned: bool, table: &'static str) -> Statement {
        order(self.query.sorts.keys(), turned, table)
    }

    /// Whether the beginning by which the candidates are found is the only condition.
    fn is_beginning_alone(&self) -> bool {
        matches!(self.candidates, Candidates::Beginning(_))
            && self.query.conditions.is_empty()
            && self.query.search.terms().len() == 1
    }
}
