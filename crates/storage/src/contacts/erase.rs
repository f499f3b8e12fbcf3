//! Erase one contact.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::contacts::BlockKey;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use super::blocked_emails;
use super::document::Decoder;
use super::indexed;
use super::locked;
use super::overdue;
use super::rows::ContactRow;
use super::trace::Trace;
use super::views;
use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::counts;
use crate::dialect::{Lock, any_id, unindexed};
use crate::failure::Failure;
use crate::idempotency::{Names, Naming};
use crate::recorded::Recorded;
use crate::statement::{sql, statement};
use crate::{changes, idempotency, webhooks};

/// The options of an erasure.
#[derive(Clone)]
pub(super) struct Erasure {
    /// The answers that name the contact.
    pub(super) naming: Arc<Naming>,
    /// Blocks the email with this key.
    pub(super) block: Option<BlockKey>,
    /// Leaves a contact as it is unless it was deleted before the period that its company sets.
    pub(super) only_overdue: bool,
}

#[derive(QueryableByName)]
struct NamesRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    email: String,
}

/// The texts that name these contacts, without those that do not exist.
pub(super) fn names(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
) -> Result<Vec<Names>, Failure> {
    let ids = any_id(connection, ids.iter().map(|id| id.uuid()));
    let select = sql!(
        "SELECT id, email FROM contacts WHERE {}company_id = ? AND id {}",
        unindexed(connection),
        ids,
    );
    let rows: Vec<NamesRow> = connection.rows(select.bind(company))?;
    let names = |row: NamesRow| Names { id: ContactId::new(row.id.0), email: row.email };
    Ok(rows.into_iter().map(names).collect())
}

/// Erases one contact, and with a key blocks its email; returns false when there is none. All changes of counts that are
/// not yet applied are applied, because they contain values; most were applied before.
pub(super) fn erase(
    storage: &Storage,
    connection: &mut Connection,
    by: &Author,
    id: ContactId,
    what: &Erasure,
    at: Timestamp,
) -> Result<Recorded<bool>, Failure> {
    let company = by.company;
    let Some(contact) = lock(connection, company, id, what, at)? else {
        return Ok(Recorded::unchanged(false));
    };
    let delete = statement("DELETE FROM contacts WHERE id = ? AND company_id = ?");
    connection.execute(delete.bind(id).bind(company))?;
    if let Some(key) = &what.block {
        blocked_emails::block(
            connection,
            company,
            &key.digest(company, &contact.email_identity()),
        )?;
    }
    indexed::forget(connection, company, &[id])?;
    let email = contact.email().to_owned();
    let audit = NewAuditEntry::of(by, AuditAction::ContactErased, id.uuid(), at);
    let mut trace = Trace { audit: Some(audit), ..Trace::default() };
    if !contact.is_deleted {
        let mut decoder = Decoder::new(storage, company);
        let values = decoder.decode(connection, &contact.field_values)?;
        let contact = contact.into_contact(values);
        trace.counts.lose(decoder.directory(connection)?.as_ref(), &contact)?;
    }
    changes::forget(connection, company, id.uuid())?;
    webhooks::forget_contact(connection, company, id)?;
    let names = Names { id, email: email.as_str().to_owned() };
    idempotency::forget_naming(connection, company, &names, &what.naming)?;
    views::forget_naming(connection, company, &email)?;
    trace.entries.push(NewEntry::contact_erased(by, id, at));
    let entry = trace.write(storage, connection, company)?;
    counts::settle(storage, connection, company)?;
    // Before the commit: the caller may be gone after it.
    storage.has_erased().store(true, Ordering::Release);
    Ok(Recorded::by(entry, true))
}

/// The contact, locked, if it is to be erased. The company is locked before it: no webhook of it gets a cursor into the feed
/// before the transaction ends, so all payloads that are created later have the entries as they are then.
fn lock(
    connection: &mut Connection,
    company: CompanyId,
    id: ContactId,
    what: &Erasure,
    at: Timestamp,
) -> Result<Option<ContactRow>, Failure> {
    let limit = overdue::limit(connection, company, at, Lock::ForShare)?;
    let condition = statement("company_id = ? AND id = ?").bind(company).bind(id);
    let condition = if what.only_overdue {
        let Some(before) = limit else { return Ok(None) };
        sql!("{} AND deleted_at < ?", condition).bind(before)
    } else {
        condition
    };
    Ok(locked::lock(connection, condition)?.pop())
}
