//! The machine's clock.

use contact_hub_domain::ports::Clock;
use contact_hub_domain::time::Timestamp;
use time::OffsetDateTime;

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this adapter is where time comes in")]
    fn now(&self) -> Timestamp {
        Timestamp::from_clock(OffsetDateTime::now_utc())
    }
}
