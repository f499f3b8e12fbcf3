//! Restore deleted contacts, and read them.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::contacts::{Change, Contact, DeletedContact, PersonName, WantedDeleted};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use super::document::Decoder;
use super::indexed::{self, Written};
use super::trace::Trace;
use super::write;
use crate::Storage;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{any_id, unindexed};
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::statement::{sql, statement};

const COLUMNS: &str = "id, email, first_name, last_name, deleted_at";

#[derive(QueryableByName)]
struct DeletedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = Text)]
    first_name: String,
    #[diesel(sql_type = Text)]
    last_name: String,
    #[diesel(sql_type = Moment)]
    deleted_at: MomentValue,
}

impl From<DeletedRow> for DeletedContact {
    fn from(row: DeletedRow) -> Self {
        Self {
            id: ContactId::new(row.id.0),
            email: Email::from_stored(row.email),
            first_name: PersonName::from_stored(row.first_name),
            last_name: PersonName::from_stored(row.last_name),
            deleted_at: row.deleted_at.0,
        }
    }
}

pub(super) fn deleted(
    connection: &mut Connection,
    company: CompanyId,
    wanted: &WantedDeleted,
) -> Result<Vec<DeletedContact>, Failure> {
    let select = match wanted {
        WantedDeleted::Ids(ids) => sql!(
            "SELECT {} FROM contacts WHERE {}company_id = ? AND id {} AND deleted_at IS NOT NULL",
            COLUMNS,
            unindexed(connection),
            any_id(connection, ids.iter().map(|id| id.uuid())),
        )
        .bind(company),
        WantedDeleted::After(after, limit) => {
            let before = after.map(|id| {
                let text = "(deleted_at, id) < (SELECT deleted_at, id FROM contacts WHERE id = ? \
                     AND company_id = ? AND deleted_at IS NOT NULL) AND ";
                statement(text).bind(id).bind(company)
            });
            sql!(
                "SELECT {} FROM contacts WHERE {}company_id = ? AND deleted_at IS NOT NULL \
                 ORDER BY deleted_at DESC, id DESC LIMIT ?",
                COLUMNS,
                before,
            )
            .bind(company)
            .bind(i64::from(*limit))
        }
    };
    let rows: Vec<DeletedRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(DeletedContact::from).collect())
}

/// Makes deleted contacts active again, as a bulk does, and returns how many there were.
pub(super) fn restore(
    storage: &Storage,
    connection: &mut Connection,
    by: &Author,
    ids: &[ContactId],
    at: Timestamp,
) -> Result<Recorded<u64>, Failure> {
    let company = by.company;
    let locked = write::lock_deleted_by_ids(connection, company, ids)?;
    if locked.is_empty() {
        return Ok(Recorded::unchanged(0));
    }
    let mut decoder = Decoder::new(storage, company);
    let mut changes = Vec::with_capacity(locked.len());
    for row in locked {
        let values = decoder.decode(connection, &row.field_values)?;
        let before = row.into_contact(values);
        changes.push(Change::Restore { after: before.restored(at), before });
    }
    let directory = decoder.directory(connection)?;
    let mut trace = Trace::default();
    for change in &changes {
        trace.counts.gain(&directory, change.after())?;
    }
    let restored: Vec<&Contact> = changes.iter().map(Change::after).collect();
    write::update(connection, company, &restored)?;
    let written: Vec<_> = changes.iter().map(Written::of).collect();
    indexed::write(storage, connection, company, &directory, &written)?;
    let count = u64::try_from(changes.len()).unwrap_or(u64::MAX);
    let counts = [("restored", count)];
    trace.audit = Some(NewAuditEntry::of_many(by, AuditAction::ContactsRestored, at, &counts));
    trace.entries = changes.iter().map(|it| NewEntry::contact_written(by, it)).collect();
    Ok(Recorded::by(trace.write(storage, connection, company)?, count))
}
