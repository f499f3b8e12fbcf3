//! Corrects due times that were written by a clock that was ahead of the current one.

use uuid::Uuid;

use contact_hub_domain::time::Timestamp;

use crate::columns::IdRow;
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::{sql, statement};

/// Waiting deliveries that were written later than `now`. They are found along the index of those that are due later
/// than `now`.
pub(super) fn written_later(
    connection: &mut Connection,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Uuid>, Failure> {
    let text = "SELECT id FROM deliveries WHERE state IN ('pending', 'in_progress', 'retrying') AND due_at > ? \
         AND updated_at > ? LIMIT ?";
    let select = statement(text).bind(now).bind(now).bind(i64::from(limit));
    let rows: Vec<IdRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(|row| row.id.0).collect())
}

/// Sets each due time to `now` plus the delay that the delivery had when it was written.
pub(super) fn correct(
    connection: &mut Connection,
    ids: &[Uuid],
    now: Timestamp,
) -> Result<u64, Failure> {
    let any = any_id(connection, ids.iter().copied());
    let update = sql!(
        "UPDATE deliveries SET due_at = due_at - (updated_at - ?), updated_at = ? WHERE id {} \
         AND due_at IS NOT NULL AND updated_at > ?",
        any
    );
    let update = update.bind(now).bind(now).bind(now);
    let corrected = connection.execute(update)?;
    Ok(u64::try_from(corrected).unwrap_or(u64::MAX))
}
