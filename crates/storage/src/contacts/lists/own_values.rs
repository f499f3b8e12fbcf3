//! The indexed values of one contact, looked up for a row of `contacts`.

use contact_hub_domain::ids::{CompanyId, FieldId};

use crate::connection::Connection;
use crate::contacts::indexed::FieldNaming;
use crate::statement::{Statement, sql};

/// The values of each of a company's contacts.
#[derive(Clone, Copy)]
pub(super) struct OwnValues {
    company: CompanyId,
    naming: FieldNaming,
    /// How the contact is compared, and how the values are ordered.
    by_contact: (&'static str, &'static str),
}

/// The same for a statement of PostgreSQL that may use indexes only as sets of rows
/// ([`Ways::Bitmaps`](super::ways::Ways::Bitmaps)).
///
/// Two bounds would make it expect many values, and read all values of the field for each contact by the index by key.
/// That index is of no use for the look-up if the test of the value is outside of it, and that of the field is no operator
/// of an index.
#[derive(Clone, Copy)]
pub(super) struct OwnValuesByBitmaps(CompanyId);

impl OwnValuesByBitmaps {
    pub(super) const fn of(company: CompanyId) -> Self {
        Self(company)
    }
}

/// Looks up the values of a row of `contacts`.
pub(super) trait LookUp: Copy {
    /// Selects something of the contact's value of a field, if it passes a test that begins with AND.
    fn select(self, what: &'static str, field: FieldId, test: impl Into<Statement>) -> Statement;
}

impl LookUp for OwnValuesByBitmaps {
    fn select(self, what: &'static str, field: FieldId, test: impl Into<Statement>) -> Statement {
        let own = sql!(
            "(SELECT {} FROM (SELECT sort_key, sort_rest FROM indexed_values WHERE company_id = ? \
             AND contact_id = contacts.id AND field_id IS NOT DISTINCT FROM ? OFFSET 0) AS own WHERE true",
            what,
        );
        sql!("{}{})", own.bind(self.0).bind(field), test.into())
    }
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
        Self { company, naming: FieldNaming::on(connection), by_contact }
    }
}

impl LookUp for OwnValues {
    fn select(self, what: &'static str, field: FieldId, test: impl Into<Statement>) -> Statement {
        let (contact, order) = self.by_contact;
        let of_field = self.naming.of("", self.company, field);
        sql!(
            "(SELECT {} FROM indexed_values WHERE contact_id {} AND {}{}{})",
            what,
            contact,
            of_field,
            test.into(),
            order,
        )
    }
}
