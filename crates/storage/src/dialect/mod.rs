//! The SQL in which the two databases differ.

mod backlog;
mod claims;
mod contact_columns;
mod delivery_counts;
mod lock;
mod postgres;
mod source;
mod sqlite;

pub(crate) use backlog::backlog;
pub(crate) use claims::{claim_deliveries, claim_statements};
pub(crate) use delivery_counts::{delivery_counts, or_has_count_changes, sum_up_delivery_counts};
pub(crate) use lock::{Lock, for_update_by_id};
pub(crate) use source::{Cells, Source, any_id};

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use crate::connection::Connection;
use crate::contacts::{ContactRow, ValueUse};
use crate::failure::Failure;
use crate::statement::{Statement, statement};

/// Lets one transaction at a time pass this point.
pub(crate) fn lock_bootstrap(connection: &mut Connection) -> Result<(), Failure> {
    match connection {
        Connection::Postgres(_) => postgres::lock_bootstrap(connection),
        Connection::Sqlite(_) => Ok(()),
    }
}

/// The requested active contacts, each with its company.
pub(crate) fn read_contacts(
    connection: &mut Connection,
    asked: &[(CompanyId, ContactId)],
) -> Result<Vec<(CompanyId, ContactRow)>, Failure> {
    match connection {
        Connection::Postgres(_) => postgres::read_contacts(connection, asked),
        Connection::Sqlite(_) => sqlite::read_contacts(connection, asked),
    }
}

/// The contacts with these email identities, deleted ones included, locked in the order of their ids.
pub(crate) fn lock_by_identities(
    connection: &mut Connection,
    company: CompanyId,
    identities: Vec<String>,
) -> Result<Vec<ContactRow>, Failure> {
    match connection {
        Connection::Postgres(_) => postgres::lock_by_identities(connection, company, identities),
        Connection::Sqlite(_) => sqlite::lock_by_identities(connection, company, &identities),
    }
}

/// The active contacts with these ids, locked in the order of the ids.
pub(crate) fn lock_by_ids(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
) -> Result<Vec<ContactRow>, Failure> {
    match connection {
        Connection::Postgres(_) => postgres::lock_by_ids(connection, company, ids),
        Connection::Sqlite(_) => sqlite::lock_by_ids(connection, company, ids),
    }
}

/// Inserts contacts, sorted by email identity, except those whose identity is taken; returns how many were inserted.
pub(crate) fn insert_contacts(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<usize, Failure> {
    match connection {
        Connection::Postgres(_) => postgres::insert_contacts(connection, company, contacts),
        Connection::Sqlite(_) => sqlite::insert_contacts(connection, company, contacts),
    }
}

/// Writes the attributes and values of locked contacts, and makes them active.
pub(crate) fn update_contacts(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<(), Failure> {
    match connection {
        Connection::Postgres(_) => postgres::update_contacts(connection, company, contacts),
        Connection::Sqlite(_) => sqlite::update_contacts(connection, company, contacts),
    }
}

/// Marks locked contacts as deleted.
pub(crate) fn mark_deleted(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
    at: Timestamp,
) -> Result<(), Failure> {
    match connection {
        Connection::Postgres(_) => postgres::mark_deleted(connection, company, ids, at),
        Connection::Sqlite(_) => sqlite::mark_deleted(connection, company, ids, at),
    }
}

/// Adds to the counts of values, in one statement, and a second one when any count falls. The changes are sorted,
/// with one for each value.
pub(crate) fn change_value_uses(
    connection: &mut Connection,
    changes: &[ValueUse],
) -> Result<(), Failure> {
    match connection {
        Connection::Postgres(_) => postgres::change_value_uses(connection, changes),
        Connection::Sqlite(_) => sqlite::change_value_uses(connection, changes),
    }
}

/// The condition that a folded text occurs in one of the three searched texts, with its value. Texts of three
/// characters or more use an index.
pub(crate) fn occurs_in_search_text(connection: &Connection, part: &str) -> (String, String) {
    match connection {
        Connection::Postgres(_) => {
            ("contacts.search_text LIKE ? ESCAPE '\\'".to_owned(), containing(part))
        }
        Connection::Sqlite(_) => sqlite::occurs_in_search_text(part),
    }
}

/// Follows a table's name so that its rows are read in the order of an index.
pub(crate) fn along(connection: &Connection, index: &str) -> String {
    match connection {
        // PostgreSQL chooses an incremental sort along an index by itself.
        Connection::Postgres(_) => String::new(),
        // SQLite would choose any index of the company, and sort everything.
        Connection::Sqlite(_) => format!(" INDEXED BY {index}"),
    }
}

/// Follows FROM: the deliveries that meet a condition on a row of the selection `owners`, looked up along an index
/// for each of these rows. There are few owners and many deliveries, whatever the statistics say.
pub(crate) fn deliveries_of(
    connection: &Connection,
    owners: &str,
    index: &str,
    condition: &str,
) -> String {
    match connection {
        // OFFSET keeps PostgreSQL from merging the inner selection, so that it runs once for each owner.
        Connection::Postgres(_) => format!(
            "({owners}) AS owners CROSS JOIN LATERAL \
             (SELECT * FROM deliveries WHERE {condition} OFFSET 0) AS deliveries"
        ),
        // SQLite runs a cross join in the order of its text.
        Connection::Sqlite(_) => {
            format!("({owners}) AS owners CROSS JOIN deliveries INDEXED BY {index} ON {condition}")
        }
    }
}

/// The LIKE pattern for texts that contain `part`.
pub(crate) fn containing(part: &str) -> String {
    let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

#[derive(QueryableByName)]
struct DatabaseName {
    #[diesel(sql_type = Text)]
    database_name: String,
}

/// The database of a connection: its name, or the path of its file.
pub(crate) fn database_name(connection: &mut Connection) -> Result<String, Failure> {
    let text = match connection {
        Connection::Postgres(_) => "SELECT current_database()::text AS database_name",
        Connection::Sqlite(_) => "SELECT file AS database_name FROM pragma_database_list",
    };
    let row: Option<DatabaseName> = connection.first(statement(text))?;
    row.map(|row| row.database_name).ok_or_else(|| Failure::Corrupt("no database".to_owned()))
}

/// The plan of a statement, line by line. Deeper steps are indented.
pub(crate) fn explain(
    connection: &mut Connection,
    statement: Statement,
) -> Result<Vec<String>, Failure> {
    match connection {
        Connection::Postgres(_) => postgres::explain(connection, statement),
        Connection::Sqlite(_) => sqlite::explain(connection, statement),
    }
}

/// As [`begin_snapshot`], for lists in the order of an index. Without statistics, as after a bulk load, PostgreSQL expects
/// few rows and sorts all that match, which took 0.3 s for 300,000 deliveries. Without bitmaps and scans of the whole
/// table it reads along the index.
pub(crate) const fn begin_ordered_snapshot(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_bitmapscan = off; \
             SET LOCAL enable_seqscan = off"
        }
        Connection::Sqlite(_) => "BEGIN DEFERRED",
    }
}

/// Begins a read-only transaction whose statements see one snapshot.
pub(crate) const fn begin_snapshot(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        Connection::Sqlite(_) => "BEGIN DEFERRED",
    }
}
