//! Begin and end following the feed.

use contact_hub_domain::webhooks::{EventKind, Webhook};

use crate::changes;
use crate::connection::Connection;
use crate::dialect::{Source, any_text};
use crate::failure::Failure;
use crate::statement::sql;

/// The kinds of events for which a webhook follows the feed, also while it is off.
fn followed(webhook: &Webhook) -> Vec<EventKind> {
    webhook.events.iter().filter(|kind| kind.changes().next().is_some()).collect()
}

/// Makes a webhook follow the feed from its end, for each kind to which it is subscribed and that it does not follow
/// yet. If its last entries are not announced yet, it passes these first.
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
         SELECT ?, source.kind, ?, ?, ? FROM {} WHERE true ON CONFLICT (webhook_id, kind) \
         DO UPDATE SET resume_position = coalesce(feed_cursors.resume_position, excluded.position) \
         WHERE feed_cursors.until_position IS NOT NULL",
        source.table(connection),
    );
    let insert = insert.bind(webhook.id).bind(webhook.company).bind(end.number).bind(end.ordinal);
    connection.execute(insert)?;
    Ok(())
}

/// Ends the cursors of the kinds of events to which a webhook is no longer subscribed, after the present entries.
pub(in crate::webhooks) fn end_others(
    connection: &mut Connection,
    webhook: &Webhook,
) -> Result<(), Failure> {
    let kinds = followed(webhook).into_iter().map(EventKind::as_str).map(str::to_owned);
    let update = sql!(
        "UPDATE feed_cursors SET until_position = {}, resume_position = NULL WHERE webhook_id = ? AND NOT kind {} \
         AND (until_position IS NULL OR resume_position IS NOT NULL)",
        changes::last_position(connection),
        any_text(connection, kinds.collect()),
    );
    connection.execute(update.bind(webhook.id))?;
    Ok(())
}
