//! Erases the payloads that went only to deleted webhooks.

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, WebhookId};

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Lock, any_id};
use crate::failure::Failure;
use crate::statement::{Bind, sql, statement};

/// A deleted webhook whose payloads are erased.
#[derive(QueryableByName)]
pub(super) struct Erasure {
    #[diesel(sql_type = Id)]
    webhook: IdValue,
    #[diesel(sql_type = Id)]
    company: IdValue,
    /// The last delivery whose payload is erased.
    #[diesel(sql_type = Id)]
    pub(super) after: IdValue,
}

#[derive(QueryableByName)]
struct DeliveredRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    event_id: IdValue,
}

/// Schedules the erasure of a deleted webhook's payloads.
pub(in crate::webhooks) fn begin(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
) -> Result<(), Failure> {
    let text = "INSERT INTO erasures (webhook_id, company_id, after_id) VALUES (?, ?, ?)";
    let nil = Bind::Id(IdValue(Uuid::nil()));
    connection.execute(statement(text).bind(webhook).bind(company).bind(nil))?;
    Ok(())
}

/// Locks an erasure that no other transaction works on.
pub(super) fn lock_any(connection: &mut Connection) -> Result<Option<Erasure>, Failure> {
    let lock = Lock::SkipLocked.on(connection);
    let select = sql!(
        "SELECT webhook_id AS webhook, company_id AS company, after_id AS after FROM erasures ORDER BY random() LIMIT 1{}",
        lock
    );
    Ok(connection.first(select)?)
}

/// Erases the payloads of up to this many deliveries after `after`, and advances `after`; returns true if there may be
/// more.
pub(super) fn erase(
    connection: &mut Connection,
    erasure: &Erasure,
    after: &mut IdValue,
    limit: u32,
) -> Result<bool, Failure> {
    let (webhook, company) = (Bind::Id(erasure.webhook), Bind::Id(erasure.company));
    let text = "SELECT id, event_id FROM deliveries WHERE company_id = ? AND webhook_id = ? AND id > ? \
         ORDER BY id LIMIT ?";
    let batch =
        statement(text).bind(company).bind(webhook).bind(Bind::Id(*after)).bind(i64::from(limit));
    let rows: Vec<DeliveredRow> = connection.rows(batch)?;
    let any = any_id(connection, rows.iter().map(|row| row.event_id.0));
    // A count is made for each event, by the index of its deliveries; NOT EXISTS may become a join with all
    // deliveries.
    let update = sql!(
        "UPDATE events SET payload = NULL WHERE id {} AND payload IS NOT NULL AND \
         (SELECT count(*) FROM (SELECT 1 FROM deliveries JOIN webhooks ON webhooks.id = deliveries.webhook_id \
         WHERE deliveries.event_id = events.id LIMIT 1) AS kept) = 0",
        any
    );
    connection.execute(update)?;
    let last = rows.last().filter(|_| rows.len() == usize::try_from(limit).unwrap_or(usize::MAX));
    let id = Bind::Id(erasure.webhook);
    let next = match last {
        Some(last) => statement("UPDATE erasures SET after_id = ? WHERE webhook_id = ?")
            .bind(Bind::Id(last.id))
            .bind(id),
        None => statement("DELETE FROM erasures WHERE webhook_id = ?").bind(id),
    };
    connection.execute(next)?;
    if let Some(last) = last {
        *after = last.id;
    }
    Ok(last.is_some())
}
