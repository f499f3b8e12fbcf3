//! How the rows of `indexed_values` name their field and company.

use contact_hub_domain::ids::{CompanyId, FieldId};

use crate::connection::Connection;
use crate::statement::{Statement, sql, statement};

/// By what a row names its field and company.
#[derive(Clone, Copy)]
pub(crate) enum FieldNaming {
    /// Both ids, on PostgreSQL.
    Ids,
    /// The number of the row of `fields`, on SQLite. It makes the index of values nearly half as large, and its size decides how
    /// many of its pages a bulk writes.
    Number,
}

impl FieldNaming {
    pub(crate) const fn on(connection: &Connection) -> Self {
        match connection {
            Connection::Postgres(_) => Self::Ids,
            Connection::Sqlite(_) => Self::Number,
        }
    }

    /// That a row is one of a company's field. `prefix` precedes the names of the columns.
    pub(crate) fn of(self, prefix: &'static str, company: CompanyId, field: FieldId) -> Statement {
        let condition = match self {
            Self::Ids => {
                sql!("{prefix}company_id = ? AND {prefix}field_id = ?", prefix = prefix)
            }
            Self::Number => sql!(
                "{}field_number = (SELECT index_number FROM fields WHERE fields.company_id = ? AND fields.id = ?)",
                prefix,
            ),
        };
        condition.bind(company).bind(field)
    }
}

/// [`FieldNaming::of`] on the database of a connection.
pub(crate) fn of_field(
    connection: &Connection,
    prefix: &'static str,
    company: CompanyId,
    field: FieldId,
) -> Statement {
    FieldNaming::on(connection).of(prefix, company, field)
}

/// That a row is one of a company, beside a condition on its contact.
pub(crate) fn of_company(connection: &Connection, company: CompanyId) -> Statement {
    let condition = match connection {
        Connection::Postgres(_) => "company_id = ?",
        Connection::Sqlite(_) => {
            "+field_number IN (SELECT index_number FROM fields WHERE company_id = ?)"
        }
    };
    statement(condition).bind(company)
}

/// The column with the id of a row's field, and the rows of a company, as they follow FROM.
pub(crate) const fn with_field_ids(connection: &Connection) -> (&'static str, &'static str) {
    match connection {
        Connection::Postgres(_) => ("field_id", "indexed_values WHERE company_id = ?"),
        Connection::Sqlite(_) => (
            "fields.id AS field_id",
            "indexed_values CROSS JOIN fields ON index_number = field_number WHERE fields.company_id = ?",
        ),
    }
}
