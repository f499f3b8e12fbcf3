//! Removes deleted contacts from the indexes of the lists of SQLite.
//!
//! The entries of a thousand contacts are on several thousand pages. A transaction that deletes contacts only marks
//! them; lists leave them out until they are unlisted. PostgreSQL needs no such step: it removes entries of rows that
//! are gone by itself.

use diesel::QueryableByName;

use contact_hub_domain::ids::CompanyId;

use crate::Storage;
use crate::backlog::{Batch, Left, Work};
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// The contacts that are deleted and still listed, as they follow FROM.
pub(crate) const LISTED: &str =
    "contacts INDEXED BY contacts_to_unlist WHERE is_listed = 1 AND deleted_at IS NOT NULL";

#[derive(QueryableByName)]
struct Deleted {
    #[diesel(sql_type = Id)]
    id: IdValue,
}

/// Unlists at most this many deleted contacts of a company.
pub(crate) fn unlist(
    connection: &mut Connection,
    company: CompanyId,
    contacts: u32,
) -> Result<Batch, Failure> {
    let select = sql!("SELECT id FROM {} AND company_id = ? ORDER BY id LIMIT ?", LISTED);
    let select = select.bind(company).bind(i64::from(contacts));
    let deleted: Vec<Deleted> = connection.rows(select)?;
    if deleted.is_empty() {
        return Ok(Batch::EMPTY);
    }
    let ids = deleted.iter().map(|contact| contact.id.0);
    let update = sql!(
        "UPDATE contacts SET is_listed = 0 WHERE +company_id = ? AND id {}",
        any_id(connection, ids)
    );
    connection.execute(update.bind(company))?;
    let size = deleted.len();
    let has_more = u32::try_from(size).is_ok_and(|size| size == contacts);
    Ok(Batch { size, left: if has_more { Left::AtLeast(1) } else { Left::Exactly(0) } })
}

/// Notes that contacts were deleted which are still listed.
pub(super) fn leave_listed(
    storage: &Storage,
    connection: &Connection,
    company: CompanyId,
    contacts: usize,
) {
    if let Connection::Sqlite(_) = connection {
        storage.backlog().grow(Work::Unlisting, company, contacts);
    }
}

/// Part of an UPDATE that makes contacts active.
pub(super) const fn list_again(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => "",
        Connection::Sqlite(_) => "is_listed = 1, ",
    }
}

/// The condition that a contact is not deleted, such that the indexes of the lists serve it. SQLite looks once whether there
/// are any to leave out, and only then for each contact, which would take a third of the time of a count.
pub(super) fn is_active(connection: &Connection, company: CompanyId) -> Statement {
    match connection {
        Connection::Postgres(_) => statement("contacts.deleted_at IS NULL"),
        Connection::Sqlite(_) => sql!(
            "contacts.is_listed = 1 AND (NOT EXISTS (SELECT 1 FROM {listed} AND company_id = ?) \
             OR contacts.id NOT IN (SELECT id FROM {listed} AND company_id = ?))",
            listed = LISTED,
        )
        .bind(company)
        .bind(company),
    }
}
