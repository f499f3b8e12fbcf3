//! Conditions that the index of substrings of PostgreSQL serves.

use super::conditions::{Conditions, Substring};
use super::domains::Places;
use super::matches::{Matches, Selected};
use super::order::keys;
use super::own_values::OwnValuesByBitmaps;
use super::walk::bound;
use super::ways::{Ways, allow};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql, statement};

impl Conditions {
    /// Looks up where the texts are that occur in the searched ones.
    pub(super) fn find_substrings(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        if !self.has_substrings() || matches!(connection, Connection::Sqlite(_)) {
            return Ok(());
        }
        allow(connection, Ways::Bitmaps)?;
        let company = self.company();
        for Substring { text, is_in_emails, places } in self.substrings_mut() {
            *places = Some(match is_in_emails {
                true => Places::of(connection, company, text.as_str())?,
                false => Places::in_trigrams(text.as_str()),
            });
        }
        allow(connection, Ways::Indexes)
    }

    /// Selects these columns of the matches, which the index of substrings finds: by the texts that are in no domain,
    /// or by the one that is in the domains of the fewest contacts.
    pub(super) fn found_by_substrings(&self, columns: &Statement) -> Statement {
        let in_none = self.places().filter(|places| places.domains().is_none());
        let in_none: Vec<Statement> = in_none.map(Places::elsewhere).collect();
        if !in_none.is_empty() {
            let all = in_none.into_iter().chain([self.all_by_bitmaps()]);
            return sql!("SELECT {} FROM contacts WHERE {}", columns, joined(all, " AND "));
        }
        let ways = self.places().filter_map(|places| {
            let domains = places.domains()?;
            Some((
                domains.contacts,
                places.elsewhere(),
                domains.select(columns, self.all_by_bitmaps())?,
            ))
        });
        let Some((_, elsewhere, in_domains)) = ways.min_by_key(|(contacts, ..)| *contacts) else {
            return sql!("SELECT {} FROM contacts WHERE {}", columns, self.all_by_bitmaps());
        };
        sql!(
            "SELECT {columns} FROM contacts WHERE {elsewhere} AND {all} UNION ALL {in_domains}",
            columns = columns,
            elsewhere = elsewhere,
            all = self.all_by_bitmaps(),
            in_domains = in_domains,
        )
    }

    /// The number of matches, if a text is all that is searched for, and more than this many contacts have it in their
    /// domain or too many domains have it.
    pub(super) fn counted_by_domains(
        &self,
        connection: &mut Connection,
        few: u64,
    ) -> Result<Option<u64>, Failure> {
        let Some(places) = self.places().next().filter(|_| self.is_one()) else { return Ok(None) };
        let domains = places.domains().filter(|domains| domains.have_more_than(few));
        let Some(domains) = domains else { return Ok(None) };
        allow(connection, Ways::Bitmaps)?;
        let elsewhere = sql!(
            "SELECT count(*) AS total FROM (SELECT id FROM contacts WHERE {} AND {} OFFSET 0) AS elsewhere",
            places.elsewhere(),
            self.all_by_bitmaps(),
        );
        let elsewhere = total(connection, elsewhere.uncached())?;
        Ok(Some(domains.contacts + u64::try_from(elsewhere).unwrap_or_default()))
    }
}

impl Matches<'_> {
    /// What is selected by a statement that may use only bitmaps.
    pub(super) fn by_bitmaps(&self, what: Selected) -> Statement {
        let own = OwnValuesByBitmaps::of(self.company);
        match what {
            Selected::Ids => statement("id"),
            Selected::Keys => sql!("id, {}", keys(own, self.query.sorts.keys())),
        }
    }

    /// The ids and sort keys of the matches that the index of substrings finds, if they are at most this many.
    pub(super) fn few_with_substrings(
        &self,
        connection: &mut Connection,
        most: u64,
    ) -> Result<Option<Statement>, Failure> {
        if !self.conditions.has_substrings() {
            return Ok(None);
        }
        allow(connection, Ways::Bitmaps)?;
        let found = self.conditions.found_by_substrings(&self.by_bitmaps(Selected::Ids));
        let count = sql!(
            "SELECT count(*) AS total FROM (SELECT FROM ({}) AS found LIMIT ?) AS bounded",
            found
        );
        let count = count.bind(bound(most.saturating_add(1))).uncached();
        if total(connection, count)? > bound(most) {
            allow(connection, Ways::Indexes)?;
            return Ok(None);
        }
        Ok(Some(self.conditions.found_by_substrings(&self.by_bitmaps(Selected::Keys))))
    }
}
