//! Appends entries in the transaction of what they record.

use serde_json::{Map, Value};
use uuid::Uuid;

use contact_hub_domain::audit::NewAuditEntry;
use contact_hub_domain::ids::{ApiKeyId, UserId};

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
    let company = entry.by.company;
    let source = Source::of(std::slice::from_ref(entry))
        .ints("ordinal", |_only| 0)
        .moments("at", |entry| entry.at)
        .texts("action", |entry| entry.action.as_str().to_owned())
        .ids("object_id", |entry| entry.object.unwrap_or_default())
        .ids("actor_id", |entry| entry.by.user.map_or_else(Uuid::nil, UserId::uuid))
        .ids("key_id", |entry| entry.by.call.key.map_or_else(Uuid::nil, ApiKeyId::uuid))
        .optional_texts("address", |entry| entry.by.call.address.map(|it| it.to_string()))
        .optional_texts("request_id", |entry| {
            entry.by.call.request_id.as_deref().map(str::to_owned)
        })
        .optional_texts("counts", |entry| document(entry.counts.as_ref()))
        .optional_texts("old_settings", |entry| document(entry.old.as_ref()))
        .optional_texts("new_settings", |entry| document(entry.new.as_ref()));
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
    let (insert, audited) = insertion(connection, entry);
    connection.execute(insert)?;
    Ok(audited)
}
