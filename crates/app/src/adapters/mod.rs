//! Time, ids and chance: the only places that ask the machine for them.

mod chance;
mod clock;
mod ids;
mod rate_limiter;

pub use chance::SystemChance;
pub use clock::SystemClock;
pub use ids::TimeOrderedIds;
pub use rate_limiter::{InMemoryRateLimiter, Quotas};
