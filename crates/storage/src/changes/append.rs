//! Appends entries in the transaction of their changes.

use serde_json::Value;
use uuid::Uuid;

use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::ids::{CompanyId, UserId};

use super::position::{take_later_position, transaction_position};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::recorded::Entry;
use crate::statement::{Statement, sql};

/// Entries of the feed.
#[must_use]
pub(crate) struct Published(());

impl Entry for Published {}

/// The statement that appends all entries of a transaction; `None` when there are none. A transaction may run it once.
pub(crate) fn insertion(
    connection: &Connection,
    company: CompanyId,
    entries: &[NewEntry],
) -> Option<(Statement, Published)> {
    if entries.is_empty() {
        return None;
    }
    let rows: Vec<(i64, &NewEntry)> = (0..).zip(entries).collect();
    let source = Source::of(&rows)
        .ints("ordinal", |(ordinal, _)| *ordinal)
        .texts("type", |(_, entry)| entry.kind.as_str().to_owned())
        .moments("at", |(_, entry)| entry.at)
        .ids("object_id", |(_, entry)| entry.object)
        .ids("actor_id", |(_, entry)| entry.actor.map_or_else(Uuid::nil, UserId::uuid))
        .texts("changed", |(_, entry)| Value::from(entry.changed.clone()).to_string())
        .optional_texts("request_id", |(_, entry)| entry.request_id.as_deref().map(str::to_owned));
    let insert = sql!(
        "INSERT INTO changes (company_id, position, {columns}) SELECT ?, {position}, {columns} FROM {table}",
        columns = source.names(),
        position = transaction_position(connection, company, "changes"),
        table = source.table(connection),
    );
    Some((insert.bind(company), Published(())))
}

/// Appends the entries of a transaction that closes syncs. While it waited for their locks, a transaction with a later id may
/// have requested them, so it [takes a later position](take_later_position).
pub(crate) fn append_closed(
    connection: &mut Connection,
    company: CompanyId,
    entries: &[NewEntry],
) -> Result<Option<Published>, Failure> {
    if !entries.is_empty() {
        take_later_position(connection)?;
    }
    append(connection, company, entries)
}

/// Appends all entries of a transaction.
pub(crate) fn append(
    connection: &mut Connection,
    company: CompanyId,
    entries: &[NewEntry],
) -> Result<Option<Published>, Failure> {
    let Some((insert, published)) = insertion(connection, company, entries) else {
        return Ok(None);
    };
    connection.execute(insert)?;
    Ok(Some(published))
}
