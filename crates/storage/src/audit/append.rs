//! Appends entries in the transaction of what they record.

use serde_json::{Map, Value};
use uuid::Uuid;

use contact_hub_domain::audit::NewAuditEntry;
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};

use crate::changes::transaction_position;
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::recorded::Entry;
use crate::statement::{Statement, sql};

/// An entry of the audit.
#[must_use]
pub(crate) struct Audited(());

impl Entry for Audited {}

/// The statement that appends the entry of a transaction, which may run it once.
pub(crate) fn insertion(connection: &Connection, entry: &NewAuditEntry) -> (Statement, Audited) {
    insertion_of(connection, entry.by.company, std::slice::from_ref(entry))
}

fn insertion_of(
    connection: &Connection,
    company: CompanyId,
    entries: &[NewAuditEntry],
) -> (Statement, Audited) {
    let rows: Vec<(i64, &NewAuditEntry)> = (0..).zip(entries).collect();
    let source = Source::of(&rows)
        .ints("ordinal", |(ordinal, _)| *ordinal)
        .moments("at", |(_, entry)| entry.at)
        .texts("action", |(_, entry)| entry.action.as_str().to_owned())
        .ids("object_id", |(_, entry)| entry.object.unwrap_or_default())
        .ids("actor_id", |(_, entry)| entry.by.user.map_or_else(Uuid::nil, UserId::uuid))
        .ids("key_id", |(_, entry)| entry.by.call.key.map_or_else(Uuid::nil, ApiKeyId::uuid))
        .optional_texts("address", |(_, entry)| entry.by.call.address.map(|it| it.to_string()))
        .optional_texts("request_id", |(_, entry)| {
            entry.by.call.request_id.as_deref().map(str::to_owned)
        })
        .optional_texts("counts", |(_, entry)| document(entry.counts.as_ref()))
        .optional_texts("old_settings", |(_, entry)| document(entry.old.as_ref()))
        .optional_texts("new_settings", |(_, entry)| document(entry.new.as_ref()));
    let insert = sql!(
        "INSERT INTO audit (company_id, position, {columns}) SELECT ?, {position}, {columns} FROM {table}",
        columns = source.names(),
        position = transaction_position(connection, company, "audit"),
        table = source.table(connection),
    );
    (insert.bind(company), Audited(()))
}

fn document(members: Option<&Map<String, Value>>) -> Option<String> {
    members.map(|members| Value::from(members.clone()).to_string())
}

/// Appends the entry of a transaction.
pub(crate) fn append(
    connection: &mut Connection,
    entry: &NewAuditEntry,
) -> Result<Audited, Failure> {
    append_all(connection, entry.by.company, std::slice::from_ref(entry))
}

/// Appends the entries of a transaction on a company that changes several things.
pub(crate) fn append_all(
    connection: &mut Connection,
    company: CompanyId,
    entries: &[NewAuditEntry],
) -> Result<Audited, Failure> {
    let (insert, audited) = insertion_of(connection, company, entries);
    connection.execute(insert)?;
    Ok(audited)
}
