//! The number of a company's active contacts for each day, which nothing else remembers.

use super::period::day;
use crate::context::OverviewPorts;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// How many active contacts there were when a day was last looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactDay {
    /// The beginning of the day, in UTC.
    pub day: Timestamp,
    /// How many there were.
    pub active: u64,
}

/// Records the number of each company's active contacts for this day. It is called about every hour, so a past day has
/// the number of its last hour; a repetition replaces what it recorded before.
pub async fn record_contact_days(ports: &OverviewPorts) -> Result<(), StoreError> {
    let today = day(ports.environment.clock.now());
    ports.overview.record_contact_days(today).await
}
