//! Work that waits although an instance should have done it.

use std::time::Duration;

use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::Inspection;
use crate::connection::Connection;
use crate::dialect::begin_ordered_snapshot;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::statement;
use crate::transaction::transaction;

/// Counts stop here.
const MAX: i64 = 10_000;

/// How long after its end a lease counts as stuck: instances look for ended leases every few seconds.
const STUCK_AFTER: Duration = Duration::from_mins(5);

/// How long after it was due a delivery counts as late.
const LATE_AFTER: Duration = Duration::from_mins(15);

/// How long an alert waits at most, when the mail server works and with the longest usual times between emails.
const UNSENT_AFTER: Duration = Duration::from_hours(2);

/// Numbers of things that wait, up to 10,000 each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queues {
    /// Leases of deliveries that ended minutes ago.
    pub stuck_leases: u64,
    /// Deliveries that were due minutes ago to receivers that respond. The others wait for their receiver, not for an
    /// instance.
    pub late_deliveries: u64,
    /// Alerts that were raised hours ago and are in no email.
    pub unsent_alerts: u64,
}

impl Inspection {
    /// Looks for work that waits at this moment.
    pub fn queues(&mut self, now: Timestamp) -> Result<Queues, StoreError> {
        self.look(|connection| {
            let begin = begin_ordered_snapshot(connection);
            connection.begin(begin)?;
            transaction(connection, |connection| queues(connection, now))
        })
    }
}

fn queues(connection: &mut Connection, now: Timestamp) -> Result<Queues, Failure> {
    Ok(Queues {
        stuck_leases: count(
            connection,
            "SELECT count(*) AS total FROM (SELECT 1 FROM delivery_leases WHERE until < ? LIMIT ?) AS stuck",
            now.minus(STUCK_AFTER),
        )?,
        late_deliveries: count(
            connection,
            "SELECT count(*) AS total FROM (SELECT 1 FROM deliveries \
             WHERE state IN ('pending', 'in_progress', 'retrying') AND due_at < ? \
             AND webhook_id NOT IN (SELECT id FROM webhooks WHERE unanswered > 0) LIMIT ?) AS late",
            now.minus(LATE_AFTER),
        )?,
        unsent_alerts: count(
            connection,
            "SELECT count(*) AS total FROM (SELECT 1 FROM alerts WHERE first_at < ? LIMIT ?) AS unsent",
            now.minus(UNSENT_AFTER),
        )?,
    })
}

fn count(
    connection: &mut Connection,
    text: &'static str,
    before: Timestamp,
) -> Result<u64, Failure> {
    let number = total(connection, statement(text).bind(before).bind(MAX))?;
    Ok(u64::try_from(number).unwrap_or_default())
}
