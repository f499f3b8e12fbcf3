//! Conditions on the values of fields among very many contacts, on PostgreSQL.
//!
//! To look up the value of each contact takes longer than to read the entries of the values once and hash them, unless these
//! are many more. The kept counts say how many they are.

use contact_hub_domain::contacts::{Sort, SortKey};

use super::conditions::Conditions;
use super::matches::{Matches, Selected};
use super::page_rows::Found;
use super::value_conditions::{WithValue, values_of};
use super::value_entries::{Entries, Order};
use super::ways::{Ways, allow};
use super::window::Window;
use crate::connection::Connection;
use crate::counts::{KeyRange, contacts_in_range, stored_total};
use crate::dialect::expected_rows;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql, statement};

/// About how many entries of an index by an attribute are read and hashed in the time in which the contact of a value is
/// looked up.
const LOOKED_UP: u64 = 16;

/// A walk looks up the values of at most the number of contacts, divided by this.
pub(super) const WALKED: u64 = 4;

/// The condition that the fewest contacts meet, and the others; `None` if contacts must have none of the values.
fn by_number(entries: &[Entries]) -> Option<(&Entries, Vec<&Entries>)> {
    let having = entries.iter().filter(|it| !it.are_excluded);
    let fewest = having.min_by_key(|it| it.number)?;
    Some((fewest, entries.iter().filter(|it| it.test != fewest.test).collect()))
}

impl Conditions {
    /// Whether all conditions are on the values of fields.
    pub(super) fn are_on_values(&self) -> bool {
        self.has_values() && !self.has_columns() && !self.has_substrings()
    }

    /// The number of matches, where all conditions are on values of fields: no contact is read.
    pub(super) fn counted_by_joins(&self, connection: &mut Connection) -> Result<u64, Failure> {
        let entries = self.entries(connection)?;
        self.counted_joined(connection, &entries)
    }

    /// The number of contacts that meet the conditions on values, whatever the others.
    pub(super) fn counted_by_entries(
        &self,
        connection: &mut Connection,
        entries: &[Entries],
    ) -> Result<u64, Failure> {
        let are_counted = self.values().all(|it| it.keys.is_some());
        match entries {
            [one] if are_counted && one.are_excluded => {
                Ok(stored_total(connection, self.company())?.saturating_sub(one.number))
            }
            [one] if are_counted => Ok(one.number),
            several => self.counted_joined(connection, several),
        }
    }

    fn counted_joined(
        &self,
        connection: &mut Connection,
        entries: &[Entries],
    ) -> Result<u64, Failure> {
        let Some((fewest, others)) = by_number(entries) else {
            return self.counted_without(connection, entries);
        };
        let order = Order::of(fewest, &others);
        // Only active contacts have values, so a value is enough in place of its contact.
        let count = sql!(
            "SELECT count(*) AS total FROM (SELECT contact_id AS id FROM {} ORDER BY {} OFFSET 0) AS contacts{}",
            &fewest.rows,
            order.column(),
            self.joined_among(fewest.number, &others, order),
        );
        allow(connection, order.ways())?;
        Ok(u64::try_from(total(connection, count.uncached())?).unwrap_or_default())
    }

    /// The ids and sort keys of all matches, if these are known without reading contacts, and only a join finds them: several
    /// conditions are on values of fields, none on anything else, and the order is that of creation.
    pub(super) fn hits_by_join(
        &self,
        connection: &mut Connection,
        sorts: &[Sort],
    ) -> Result<Option<Statement>, Failure> {
        let by_creation = matches!(sorts, [Sort { key: SortKey::CreatedAt, .. }]);
        if !by_creation || self.has_columns() || self.has_substrings() || self.number() < 2 {
            return Ok(None);
        }
        let entries = self.entries(connection)?;
        let Some((fewest, others)) = by_number(&entries) else { return Ok(None) };
        let order = Order::of(fewest, &others);
        let hits = sql!(
            "SELECT id, created_at FROM (SELECT contact_id AS id, contact_created_at AS created_at FROM {} \
             ORDER BY {} OFFSET 0) AS contacts{}",
            &fewest.rows,
            order.column(),
            self.joined_among(fewest.number, &others, order),
        );
        allow(connection, order.ways())?;
        Ok(Some(hits))
    }

    /// The number of contacts without any of these.
    fn counted_without(
        &self,
        connection: &mut Connection,
        entries: &[Entries],
    ) -> Result<u64, Failure> {
        let each = entries.iter().map(|it| sql!("({})", it.contacts(Order::Values)));
        let having = sql!("SELECT count(*) AS total FROM ({}) AS valued", joined(each, " UNION "))
            .uncached();
        allow(connection, Ways::Joins)?;
        let having = u64::try_from(total(connection, having)?).unwrap_or_default();
        Ok(stored_total(connection, self.company())?.saturating_sub(having))
    }

    /// The number of matches, where a text is in the domains of so many contacts that these are joined with the values.
    pub(super) fn counted_in_domains(
        &self,
        connection: &mut Connection,
    ) -> Result<Option<u64>, Failure> {
        let mut places = self.places();
        let (Some(place), None) = (places.next().filter(|_| self.has_values()), places.next())
        else {
            return Ok(None);
        };
        let Some(domains) = place.domains() else { return Ok(None) };
        let in_domains = domains.select(&statement("id"), self.all_but_values());
        let Some(in_domains) = in_domains else { return Ok(None) };
        let entries = self.entries(connection)?;
        if !entries.iter().all(|it| it.are_joined_with(domains.contacts)) {
            return Ok(None);
        }
        let elsewhere = self.counted_by_trigrams(connection, &place.elsewhere())?;
        let count = sql!(
            "SELECT count(*) AS total FROM ({} OFFSET 0) AS contacts{}",
            in_domains,
            self.joined_among(domains.contacts, &entries.iter().collect::<Vec<_>>(), Order::Values),
        );
        allow(connection, Ways::Joins)?;
        let counted = total(connection, count.uncached())?;
        Ok(Some(elsewhere + u64::try_from(counted).unwrap_or_default()))
    }

    /// How many of these contacts, whose ids a statement selects, meet the conditions on values. There are about this many
    /// contacts.
    pub(super) fn counted_among(
        &self,
        connection: &mut Connection,
        ids: Statement,
        contacts: u64,
        entries: &[&Entries],
    ) -> Result<u64, Failure> {
        let order = Order::with(contacts, Selected::Ids, entries);
        let count = sql!(
            "SELECT count(*) AS total FROM ({}) AS contacts{}",
            order.sorted(ids),
            self.joined_among(contacts, entries, order),
        );
        allow(connection, order.ways())?;
        Ok(u64::try_from(total(connection, count.uncached())?).unwrap_or_default())
    }

    /// Follows this many `contacts` after FROM: those of them that meet the conditions on values.
    pub(super) fn joined_among(
        &self,
        contacts: u64,
        entries: &[&Entries],
        order: Order,
    ) -> Statement {
        let (mut joins, mut tests) = (Vec::new(), vec![statement("true")]);
        for it in entries {
            let look_up = self.test(it.test).filter(|_| !it.are_joined_with(contacts));
            match look_up {
                Some(look_up) => tests.push(look_up.clone()),
                None if it.are_excluded => tests.push(it.are_missing(order)),
                None => joins.push(it.join(order)),
            }
        }
        sql!("{} WHERE {}", joined(joins, ""), joined(tests, " AND "))
    }

    /// The entries of the conditions on values.
    pub(super) fn entries(&self, connection: &mut Connection) -> Result<Vec<Entries>, Failure> {
        let company = self.company();
        let of_all = KeyRange::all();
        let number = |connection: &mut Connection, field, keys, rows: &Statement| {
            contacts_in_range(connection, company, field, keys, rows, 0).map(|it| it.in_range)
        };
        let mut entries = Vec::new();
        for WithValue { test, field, rows, keys, is_one_value, .. } in self.values() {
            let keys = keys.as_ref().unwrap_or(&of_all);
            entries.push(Entries {
                test: *test,
                number: number(connection, *field, keys, rows)?,
                rows: rows.clone(),
                are_of_one_value: *is_one_value,
                are_excluded: false,
            });
        }
        for it in self.lacking() {
            let rows = values_of(connection, company, it.field);
            entries.push(Entries {
                test: it.test,
                number: number(connection, it.field, &of_all, &rows)?,
                rows,
                are_of_one_value: false,
                are_excluded: true,
            });
        }
        Ok(entries)
    }
}

impl Matches<'_> {
    /// The page and the total, if a join finds both at once.
    pub(super) fn find_by_join(
        &self,
        connection: &mut Connection,
    ) -> Result<Option<Found>, Failure> {
        let sorts = self.query.sorts.keys();
        let hits = match self.conditions.hits_by_join(connection, sorts)? {
            Some(hits) => Some(hits),
            // To count takes as long as to find them, and they may be far from the beginning of the order.
            None if self.conditions.has_columns() && self.are_keys_covered() => {
                self.matches_by_join(connection, Selected::Keys)?
            }
            None => None,
        };
        let Some(hits) = hits else { return Ok(None) };
        let found = self.gather(connection, hits, u64::MAX)?;
        found.map_or_else(|| self.past_the_end(connection), Ok).map(Some)
    }

    /// Whether a walk looks up the values of fewer contacts than it takes to find all matches by joins.
    pub(super) fn is_worth_walking(
        &self,
        connection: &mut Connection,
        window: &Window,
        total: u64,
    ) -> Result<bool, Failure> {
        if !self.conditions.has_values() || self.conditions.has_substrings() {
            return Ok(true);
        }
        let of = stored_total(connection, self.company)?;
        Ok(window.expected(of, total) <= of / WALKED)
    }

    /// All matches of conditions on values, and perhaps on attributes, by an index that has the attributes. `None` if
    /// looking up the values takes less.
    pub(super) fn matches_by_join(
        &self,
        connection: &mut Connection,
        what: Selected,
    ) -> Result<Option<Statement>, Failure> {
        if !self.conditions.has_values() || self.conditions.has_substrings() {
            return Ok(None);
        }
        let sorts = self.query.sorts.keys();
        if let Selected::Keys = what
            && let Some(hits) = self.conditions.hits_by_join(connection, sorts)?
        {
            return Ok(Some(hits));
        }
        let sorted = self.needed(Selected::Keys);
        let by = if self.conditions.has_columns() {
            self.conditions.best_covering(connection, &self.needed(what))?
        } else {
            self.conditions.covering_sorted(&sorted)
        };
        let Some(by) = by else { return Ok(None) };
        let entries = self.conditions.entries(connection)?;
        let Some(candidates) = self.worth_joining(connection, &entries)? else { return Ok(None) };
        let sorted = joined(sorted.into_iter().map(|column| sql!(", {}", column)), "");
        let (sorted, columns) = match what {
            Selected::Ids => (None, statement("id")),
            Selected::Keys => (Some(sorted), self.keys()),
        };
        let entries: Vec<&Entries> = entries.iter().collect();
        let order = Order::with(candidates, what, &entries);
        let found = sql!(
            "SELECT id{} FROM contacts WHERE {} ORDER BY {} OFFSET 0",
            sorted,
            self.conditions.all_but_values(),
            by,
        );
        allow(connection, order.ways())?;
        Ok(Some(sql!(
            "SELECT {} FROM ({}) AS contacts{}",
            columns,
            order.sorted(found),
            self.conditions.joined_among(candidates, &entries, order),
        )))
    }

    /// The number of contacts that meet the conditions on attributes, if to join them with the values takes less than
    /// to look up the values of each, or to look up the contacts that have the values.
    fn worth_joining(
        &self,
        connection: &mut Connection,
        entries: &[Entries],
    ) -> Result<Option<u64>, Failure> {
        if self.conditions.has_columns() {
            let candidates =
                sql!("SELECT FROM contacts WHERE {}", self.conditions.all_but_values());
            let candidates = expected_rows(connection, candidates)?;
            let is_worth = entries.iter().any(|it| it.are_joined_with(candidates));
            return Ok(is_worth.then_some(candidates));
        }
        let of = stored_total(connection, self.company)?;
        let having = entries.iter().filter(|it| !it.are_excluded).map(|it| it.number);
        Ok(having.min().is_none_or(|fewest| fewest > of / LOOKED_UP).then_some(of))
    }
}
