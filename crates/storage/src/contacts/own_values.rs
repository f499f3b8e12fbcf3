//! The indexed values of one contact, looked up for a row of `contacts`.

use contact_hub_domain::ids::{CompanyId, FieldId};

use crate::connection::Connection;
use crate::statement::{Statement, sql};

/// The values of each of a company's contacts.
#[derive(Clone, Copy)]
pub(super) struct OwnValues {
    company: CompanyId,
    /// How the contact is compared, and how the values are ordered.
    by_contact: (&'static str, &'static str),
}

impl OwnValues {
    /// PostgreSQL takes the index by contact only for an order by the contact, which two equal bounds leave open. For a
    /// company that is not in its statistics, it expects one value in total. Then it considers the index by key as
    /// good, and reads all values of the field for each contact. OFFSET keeps it from joining them.
    pub(super) const fn of(connection: &Connection, company: CompanyId) -> Self {
        let by_contact = match connection {
            Connection::Postgres(_) => {
                ("BETWEEN contacts.id AND contacts.id", " ORDER BY contact_id LIMIT 1 OFFSET 0")
            }
            Connection::Sqlite(_) => ("= contacts.id", " LIMIT 1 OFFSET 0"),
        };
        Self { company, by_contact }
    }

    /// Selects something of the contact's value of a field, if it passes a test that begins with AND.
    pub(super) fn select(
        self,
        what: &'static str,
        field: FieldId,
        test: impl Into<Statement>,
    ) -> Statement {
        let (contact, order) = self.by_contact;
        let own = sql!(
            "SELECT {} FROM indexed_values WHERE company_id = ? AND contact_id {} AND field_id = ?",
            what,
            contact,
        );
        sql!("({}{}{})", own.bind(self.company).bind(field), test.into(), order)
    }
}
