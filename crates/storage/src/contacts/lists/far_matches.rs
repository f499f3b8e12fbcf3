//! Pages far from both ends of a list with conditions on the values of fields, in the order of an attribute, on PostgreSQL.
//!
//! A walk along the order looks up the values of each contact before the page. In place of that, the matches before a contact
//! near the page are counted, by a join or by their entries alone, and the walk begins at this contact.

use contact_hub_domain::contacts::Sort;

use super::matches::Matches;
use super::order::{column, key_order};
use super::skipped::walked;
use super::value_conditions::WithValue;
use super::value_entries::Entries;
use super::value_total::Counted;
use super::walk::bound;
use super::ways::{Ways, allow};
use super::window::{Beside, Window};
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::contacts::rows::ContactRow;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql};

/// The contact at which a walk begins may be in the middle of the page. Then one that is about this many matches ahead of the
/// page is chosen.
const AHEAD: u64 = 200;
const ATTEMPTS: usize = 2;

/// To sort all matches takes less than to count those before a page if they are fewer than the contacts before it, divided by
/// this.
const SORTED: u64 = 8;

/// A walk reads at most the number of contacts before the page, divided by this, also where matches are rare.
const PART_WALKED: u64 = 4;

/// The part of a list that is walked along.
pub(super) struct Nearby {
    /// The condition of the contacts in it, after AND.
    pub(super) condition: Statement,
    /// The page among the matches in it.
    pub(super) window: Window,
    /// How many contacts are worth reading.
    pub(super) most: u64,
}

impl Matches<'_> {
    /// The page, if it is far from both ends.
    pub(super) fn far_page(
        &self,
        connection: &mut Connection,
        window: &Window,
        counted: Counted,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        let Some(nearby) = self.nearby(connection, window, counted)? else { return Ok(None) };
        self.walk_to(connection, &nearby.window, nearby.most, Some(nearby.condition))
    }

    /// Where a walk to a page of this many matches begins; `None` if a walk from the end of the list looks up few values,
    /// or if the values are not all that is tested of a contact.
    pub(super) fn nearby(
        &self,
        connection: &mut Connection,
        window: &Window,
        Counted { matches, of }: Counted,
    ) -> Result<Option<Nearby>, Failure> {
        let sorts = self.query.sorts.keys();
        let first = sorts.first().and_then(|sort| Some((*sort, column(sort.key)?)));
        let others = self.conditions.has_columns() || self.conditions.has_substrings();
        let is_of_values = self.conditions.has_values() && !others;
        let Some((first, column)) = first.filter(|_| is_of_values) else { return Ok(None) };
        let mut before = window.contacts_before(of, matches);
        if before.min(matches) <= self.limits.few || before / SORTED > matches {
            return Ok(None);
        }
        let least = (before / PART_WALKED).max(self.limits.walk);
        for _attempt in 0..ATTEMPTS {
            let Some(key) = self.key_at(connection, first, column, window, before)? else {
                return Ok(None);
            };
            let descends = first.descending != window.from_the_end;
            let (earlier, later) = if descends { (">", "<=") } else { ("<", ">=") };
            let is_earlier = sql!("{} {}", earlier, &key);
            let counted = self.matches_where(connection, column, &is_earlier, before)?;
            let (compared, window) = match window.beside(counted) {
                Beside::After(window) => (sql!("{} {}", later, key), window),
                Beside::Before(window) => (is_earlier, window),
                Beside::OnBothSides => {
                    before = window.ahead(AHEAD).contacts_before(of, matches);
                    continue;
                }
            };
            // Far pages are rare: their statements are not worth keeping.
            let condition = sql!(" AND {} {}", column, compared).uncached();
            let most = window.walk(of, matches).max(least);
            return Ok(Some(Nearby { condition, window, most }));
        }
        Ok(None)
    }

    /// The number of matches whose first sort key passes a comparison, among about this many contacts.
    fn matches_where(
        &self,
        connection: &mut Connection,
        column: &'static str,
        compared: &Statement,
        contacts: u64,
    ) -> Result<u64, Failure> {
        let counted = if let Some(value) = self.known_by_one_value() {
            let rows = &value.rows;
            let count =
                sql!("SELECT count(*) AS total FROM {} AND contact_created_at {}", rows, compared);
            u64::try_from(total(connection, count.uncached())?).unwrap_or_default()
        } else {
            let entries = self.conditions.entries(connection)?;
            let entries: Vec<&Entries> = entries.iter().collect();
            let among = sql!(
                "SELECT id FROM contacts WHERE {} AND {} {} ORDER BY {} OFFSET 0",
                self.conditions.scope(),
                column,
                compared,
                column,
            );
            self.conditions.counted_among(connection, among, contacts, &entries)?
        };
        allow(connection, Ways::Indexes)?;
        Ok(counted)
    }

    /// The only condition, if the entries of its values have all that the list is sorted by.
    fn known_by_one_value(&self) -> Option<&WithValue> {
        let value = self.conditions.values().next()?;
        self.conditions.hits_by_value(self.query.sorts.keys()).map(|_hits| value)
    }

    /// The first sort key of the contact that this many precede.
    fn key_at(
        &self,
        connection: &mut Connection,
        first: Sort,
        column: &'static str,
        window: &Window,
        before: u64,
    ) -> Result<Option<Statement>, Failure> {
        let scope = self.conditions.scope().clone();
        let at = Window { limit: 1, offset: before, ..*window };
        let at = walked(connection, self.company, &[first], scope, at, self.limits.far)?;
        allow(connection, Ways::Indexes)?;
        let contact = sql!(
            "SELECT id FROM contacts WHERE {} ORDER BY {} LIMIT 1 OFFSET ?",
            at.scope,
            key_order(first, window.from_the_end),
        );
        let contact = contact.bind(bound(at.window.offset)).uncached();
        let contact: Option<IdRow> = connection.first(contact)?;
        Ok(contact.map(|IdRow { id }| {
            let own = sql!("(SELECT {} FROM contacts WHERE company_id = ? AND id = ?)", column);
            own.bind(self.company).bind(id)
        }))
    }
}
