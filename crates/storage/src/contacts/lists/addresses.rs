//! Contacts with a text in their email of which only one character precedes the `@`, on PostgreSQL.
//!
//! The index of substrings has no trigram of such a character, and a common domain has too many contacts to look at. But the
//! index of emails has the whole text, so it is read instead, and no contact.

use super::walk::bound;
use super::ways::{Ways, allow};
use crate::columns::{IdRow, IdValue};
use crate::connection::Connection;
use crate::dialect::contains;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql, statement};

/// The contacts of a company with such a text in their email.
pub(super) struct Addresses {
    /// Follows WHERE.
    along_emails: Statement,
    /// `None` if they are too many.
    ids: Option<Vec<IdValue>>,
}

impl Addresses {
    /// Finds up to this many of them.
    pub(super) fn containing(
        connection: &mut Connection,
        scope: &Statement,
        text: &str,
        most: u64,
    ) -> Result<Self, Failure> {
        let contains = contains("email_folded", text);
        let along_emails = sql!("{} AND {} ORDER BY email_folded", scope, contains);
        let found = sql!("SELECT id FROM contacts WHERE {} LIMIT ?", &along_emails);
        let found = found.bind(bound(most.saturating_add(1))).uncached();
        allow(connection, Ways::Indexes)?;
        let found: Vec<IdRow> = connection.rows(found)?;
        let are_few = u64::try_from(found.len()).is_ok_and(|found| found <= most);
        let mut ids: Vec<_> = found.into_iter().map(|row| row.id).collect();
        // Most contacts are stored in the order of their ids.
        ids.sort_unstable_by_key(|id| id.0);
        Ok(Self { along_emails, ids: are_few.then_some(ids) })
    }

    /// Their number, if they are too many to be found one by one.
    pub(super) fn counted_many(&self, connection: &mut Connection) -> Result<Option<u64>, Failure> {
        if self.ids.is_some() {
            return Ok(None);
        }
        let count = sql!(
            "SELECT count(*) AS total FROM (SELECT FROM contacts WHERE {} OFFSET 0) AS addressed",
            &self.along_emails,
        );
        allow(connection, Ways::Indexes)?;
        Ok(u64::try_from(total(connection, count.uncached())?).ok())
    }

    /// Selects these columns of those that meet a condition, which includes the company; `None` if they are too many.
    pub(super) fn select(&self, columns: &Statement, condition: &Statement) -> Option<Statement> {
        let ids = self.ids.clone()?;
        Some(sql!(
            "SELECT found.* FROM {ids} CROSS JOIN LATERAL \
             (SELECT {columns} FROM contacts WHERE id = addressed.contact_id AND {condition} OFFSET 0) AS found",
            ids = statement("unnest(?) AS addressed (contact_id)").bind(ids),
            columns = columns,
            condition = condition,
        ))
    }
}
