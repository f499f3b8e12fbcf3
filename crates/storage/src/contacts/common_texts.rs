//! The number of contacts with a text that many have, on SQLite. It is counted along the indexes of the searched texts: to find
//! a contact by the index of trigrams takes about four times as long as to read its entries in those three.

use contact_hub_domain::contacts::{Folded, TextAttribute, TextTest};

use super::column_tests::{text_column, text_test};
use super::conditions::Conditions;
use super::ranges::index_by;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql};

/// How many contacts are looked at, at most, to learn whether a text is common. They decide only how it is counted.
const SAMPLE: u64 = 1000;

/// A text that at least one of so many contacts has is common.
const COMMON: u64 = 4;

impl Conditions {
    /// The number of matches, if the only condition is a search of one text that is common among the first contacts. A walk may
    /// look at `walk` of them.
    pub(super) fn counted_along_texts(
        &self,
        connection: &mut Connection,
        walk: u64,
    ) -> Result<Option<u64>, Failure> {
        let Some(text) = self.only_substring() else { return Ok(None) };
        let looked_at = walk.min(SAMPLE);
        let sample = sql!(
            "SELECT count(*) AS total FROM (SELECT * FROM contacts INDEXED BY contacts_by_created_at WHERE {} \
             ORDER BY created_at, id LIMIT {}) AS contacts WHERE {}",
            self.scope(),
            looked_at,
            self.tests(),
        );
        let found = u64::try_from(total(connection, sample.uncached())?).unwrap_or_default();
        if found == 0 || found * COMMON < looked_at {
            return Ok(None);
        }
        let counted = total(connection, self.along_texts(text).uncached())?;
        Ok(Some(u64::try_from(counted).unwrap_or_default()))
    }

    /// Counts the contacts with the text in the email, and those that have it in a name alone.
    fn along_texts(&self, text: &Folded) -> Statement {
        let contains = TextTest::Contains(text.clone());
        let along = |attribute| {
            let column = text_column(attribute);
            sql!(
                "contacts INDEXED BY {} WHERE {} AND {}",
                index_by(column),
                self.scope(),
                text_test(column, &contains)
            )
        };
        sql!(
            "SELECT (SELECT count(*) FROM {}) + (SELECT count(*) FROM (SELECT contacts.rowid AS number FROM {} \
             UNION SELECT contacts.rowid AS number FROM {}) AS named \
             CROSS JOIN contacts ON contacts.rowid = named.number WHERE {}) AS total",
            along(TextAttribute::Email),
            along(TextAttribute::FirstName),
            along(TextAttribute::LastName),
            text_test(text_column(TextAttribute::Email), &TextTest::NotContains(text.clone())),
        )
    }
}
