//! Conditions that the index of substrings of PostgreSQL serves.

use super::conditions::{Conditions, Substring};
use super::domains::Places;
use super::matches::{Matches, Selected};
use super::order::{column, keys};
use super::own_values::OwnValuesByBitmaps;
use super::walk::bound;
use super::ways::{Ways, allow};
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::dialect::{Source, lateral};
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

    /// Looks for the contacts with a text in their email before those with its domain would be read: if it is the only
    /// condition, and more contacts than this have the domain.
    fn find_addresses(&self, connection: &mut Connection, few: u64) -> Result<(), Failure> {
        match self.places().next().filter(|_| self.is_one()) {
            Some(places) => places.find_addresses(connection, self.scope(), few),
            None => Ok(()),
        }
    }

    /// Selects these columns of the matches, which the index of substrings finds.
    pub(super) fn found_by_substrings(&self, columns: &Statement) -> Statement {
        self.with_substrings(columns, &self.all_by_bitmaps())
    }

    /// Selects these columns of the contacts that meet conditions, which the index of substrings finds: by the texts that are in
    /// no domain, by the emails that were looked for, or by the one that is in the domains of the fewest contacts.
    fn with_substrings(&self, columns: &Statement, all: &Statement) -> Statement {
        let in_none = self.places().filter(|places| places.domains().is_none());
        let in_none: Vec<Statement> = in_none.map(Places::elsewhere).collect();
        if !in_none.is_empty() {
            let all = in_none.into_iter().chain([all.clone()]);
            return sql!("SELECT {} FROM contacts WHERE {}", columns, joined(all, " AND "));
        }
        let by_emails = self.places().find_map(|places| {
            let found = places.addresses()?.select(columns, all)?;
            Some((places.in_other_emails(), found))
        });
        let Some((elsewhere, found)) = by_emails.or_else(|| self.in_fewest_domains(columns, all))
        else {
            return sql!("SELECT {} FROM contacts WHERE {}", columns, all);
        };
        sql!(
            "SELECT {columns} FROM contacts WHERE {elsewhere} AND {all} UNION ALL {found}",
            columns = columns,
            elsewhere = elsewhere,
            all = all,
            found = found,
        )
    }

    /// The condition for contacts with none of the domains that the fewest contacts have, and those that have one.
    fn in_fewest_domains(
        &self,
        columns: &Statement,
        all: &Statement,
    ) -> Option<(Statement, Statement)> {
        let ways = self.places().filter_map(|places| {
            let domains = places.domains()?;
            let in_domains = domains.select(columns, all.clone())?;
            Some((domains.contacts, places.elsewhere(), in_domains))
        });
        let fewest = ways.min_by_key(|(contacts, ..)| *contacts);
        fewest.map(|(_, elsewhere, in_domains)| (elsewhere, in_domains))
    }

    /// The number of matches, if a text is all that is searched for, and more than this many contacts have it in their
    /// domain or email, or too many domains have it.
    pub(super) fn counted_by_domains(
        &self,
        connection: &mut Connection,
        few: u64,
    ) -> Result<Option<u64>, Failure> {
        self.find_addresses(connection, few)?;
        let Some(places) = self.places().next().filter(|_| self.is_one()) else { return Ok(None) };
        if let Some(addresses) = places.addresses() {
            let Some(counted) = addresses.counted_many(connection)? else { return Ok(None) };
            let others = self.counted_by_trigrams(connection, &places.in_other_emails())?;
            return Ok(Some(counted + others));
        }
        let domains = places.domains().filter(|domains| domains.have_more_than(few));
        let Some(domains) = domains else { return Ok(None) };
        let elsewhere = self.counted_by_trigrams(connection, &places.elsewhere())?;
        Ok(Some(domains.contacts + elsewhere))
    }

    /// The number of matches that the index of substrings finds by a condition.
    pub(super) fn counted_by_trigrams(
        &self,
        connection: &mut Connection,
        condition: &Statement,
    ) -> Result<u64, Failure> {
        allow(connection, Ways::Bitmaps)?;
        let elsewhere = sql!(
            "SELECT count(*) AS total FROM (SELECT id FROM contacts WHERE {} AND {} OFFSET 0) AS elsewhere",
            condition,
            self.all_by_bitmaps(),
        );
        Ok(u64::try_from(total(connection, elsewhere.uncached())?).unwrap_or_default())
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

    /// All matches, which the index of substrings finds.
    pub(super) fn all_with_substrings(
        &self,
        connection: &mut Connection,
        what: Selected,
    ) -> Result<Statement, Failure> {
        self.conditions.find_addresses(connection, self.limits.few)?;
        allow(connection, Ways::Bitmaps)?;
        Ok(self.conditions.found_by_substrings(&self.by_bitmaps(what)))
    }

    /// The ids and sort keys of the matches that the index of substrings finds. If values of fields are looked up, `None` for more
    /// contacts with the texts than this.
    ///
    /// The index of substrings needs other settings than a look-up. With these PostgreSQL may read all values of the company for
    /// each look-up, if it is missing in the statistics. So the contacts with the texts are found before.
    pub(super) fn hits_with_substrings(
        &self,
        connection: &mut Connection,
        most: u64,
    ) -> Result<Option<Statement>, Failure> {
        self.conditions.find_addresses(connection, self.limits.few)?;
        allow(connection, Ways::Bitmaps)?;
        let sorts = self.query.sorts.keys();
        if !self.conditions.has_values() && sorts.iter().all(|sort| column(sort.key).is_some()) {
            return Ok(Some(self.conditions.found_by_substrings(&self.keys())));
        }
        let all = self.conditions.all_but_values();
        let found = self.conditions.with_substrings(&statement("id"), &all);
        let found = sql!("SELECT id FROM ({}) AS found LIMIT ?", found);
        let found = found.bind(bound(most.saturating_add(1))).uncached();
        let found: Vec<IdRow> = connection.rows(found)?;
        allow(connection, Ways::Indexes)?;
        if u64::try_from(found.len()).is_ok_and(|found| found > most) {
            return Ok(None);
        }
        let own = statement("contacts.company_id = ? AND contacts.id = found.contact_id");
        Ok(Some(sql!(
            "SELECT {} FROM (SELECT contact_id FROM {} OFFSET 0) AS found {} WHERE {}",
            self.keys(),
            Source::of(&found).ids("contact_id", |row| row.id.0).table(connection),
            lateral("contacts", own.bind(self.company)),
            self.conditions.all(),
        )))
    }
}
