//! Conditions that the index of substrings of PostgreSQL serves.

use super::conditions::{Conditions, Substring};
use super::domains::{Parted, Places};
use super::ways::{Ways, allow};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql};

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

    /// All of them, such that the index of substrings finds the matches.
    pub(super) fn all_indexed(&self) -> Statement {
        let indexed = self.places().filter_map(Places::condition);
        joined(indexed.chain([self.all()]), " AND ")
    }

    /// The number of matches, if a text is all that is searched for, and more than so many contacts have it in their domain or
    /// too many domains have it.
    pub(super) fn counted_by_domains(
        &self,
        connection: &mut Connection,
        few: u64,
    ) -> Result<Option<u64>, Failure> {
        let parted = self.places().next().filter(|_| self.is_one()).and_then(Places::parted);
        let are_many = |parted: &Parted| parted.in_domains > few || parted.are_too_many;
        let Some(parted) = parted.filter(are_many) else { return Ok(None) };
        allow(connection, Ways::Bitmaps)?;
        let others = sql!(
            "SELECT count(*) AS total FROM (SELECT id FROM contacts WHERE {} AND {} OFFSET 0) AS others",
            parted.elsewhere,
            self.all(),
        );
        let others = total(connection, others.uncached())?;
        Ok(Some(parted.in_domains + u64::try_from(others).unwrap_or_default()))
    }
}
