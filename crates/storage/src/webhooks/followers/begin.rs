//! Begin and stop following the feed.

use contact_hub_domain::webhooks::{EventKind, Webhook};
use uuid::Uuid;

use crate::changes;
use crate::connection::Connection;
use crate::dialect::{Source, any_id, any_text};
use crate::failure::Failure;
use crate::statement::sql;

/// The kinds of events for which a webhook follows the feed.
fn followed(webhook: &Webhook) -> Vec<EventKind> {
    let kinds = webhook.events.iter().filter(|kind| kind.changes().next().is_some());
    kinds.filter(|_| webhook.health.is_enabled()).collect()
}

/// Makes a webhook follow the feed from its end, for each kind to which it is subscribed and that it does not follow
/// yet.
pub(in crate::webhooks) fn begin(
    connection: &mut Connection,
    webhook: &Webhook,
) -> Result<(), Failure> {
    let kinds = followed(webhook);
    if kinds.is_empty() {
        return Ok(());
    }
    let end = changes::end(connection, webhook.company)?;
    let source = Source::of(&kinds).texts("kind", |kind| kind.as_str().to_owned());
    let insert = sql!(
        "INSERT INTO feed_cursors (webhook_id, kind, company_id, position, ordinal) \
         SELECT ?, source.kind, ?, ?, ? FROM {} WHERE true ON CONFLICT (webhook_id, kind) DO NOTHING",
        source.table(connection),
    );
    let insert = insert.bind(webhook.id).bind(webhook.company).bind(end.number).bind(end.ordinal);
    connection.execute(insert)?;
    Ok(())
}

/// Deletes the cursors of all kinds of events for which a webhook no longer follows the feed.
pub(in crate::webhooks) fn end_others(
    connection: &mut Connection,
    webhook: &Webhook,
) -> Result<(), Failure> {
    let kinds = followed(webhook).into_iter().map(EventKind::as_str).map(str::to_owned);
    let delete = sql!(
        "DELETE FROM feed_cursors WHERE webhook_id = ? AND NOT kind {}",
        any_text(connection, kinds.collect()),
    );
    connection.execute(delete.bind(webhook.id))?;
    Ok(())
}

/// Stops following the feed for all of these webhooks.
pub(in crate::webhooks) fn end(
    connection: &mut Connection,
    webhooks: impl Iterator<Item = Uuid>,
) -> Result<(), Failure> {
    let any = any_id(connection, webhooks);
    connection.execute(sql!("DELETE FROM feed_cursors WHERE webhook_id {}", any))?;
    Ok(())
}
