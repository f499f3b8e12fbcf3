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
            Self::Number => sql!("{}field_number = {}", prefix, NUMBER),
        };
        condition.bind(company).bind(field)
    }
}

/// The number of a company's field on SQLite.
pub(super) const NUMBER: &str =
    "(SELECT index_number FROM fields WHERE fields.company_id = ? AND fields.id = ?)";

/// That a row is one of a company's field. `prefix` precedes the names of the columns.
pub(crate) fn of_field(
    connection: &Connection,
    prefix: &'static str,
    company: CompanyId,
    field: FieldId,
) -> Statement {
    FieldNaming::on(connection).of(prefix, company, field)
}

/// That a row is one of a company, ahead of a condition on its contact. On SQLite a row does not name its company: the contacts
/// must have been found in it.
pub(crate) fn of_company(connection: &Connection, company: CompanyId) -> Option<Statement> {
    match connection {
        Connection::Postgres(_) => Some(statement("company_id = ? AND ").bind(company)),
        Connection::Sqlite(_) => None,
    }
}

/// The id of a row's field, as it follows SELECT.
pub(crate) const fn field_id(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => "field_id",
        Connection::Sqlite(_) => {
            "(SELECT fields.id FROM fields WHERE index_number = field_number) AS field_id"
        }
    }
}
