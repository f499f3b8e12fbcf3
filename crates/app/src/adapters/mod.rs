//! Time, ids and chance, which only these ask the machine for; the counts of calls; the vault of secrets.

mod chance;
mod clock;
mod ids;
mod rate_limiter;
mod vault;

pub use chance::SystemChance;
pub use clock::SystemClock;
pub use ids::TimeOrderedIds;
pub use rate_limiter::{InMemoryRateLimiter, Quotas};
pub use vault::MasterKeyVault;
