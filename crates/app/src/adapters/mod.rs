//! Time, ids and chance, which only these ask the machine for; the counts of calls; the hashes of
//! passwords; the vault of secrets.

mod clock;
mod ids;
mod password_hasher;
mod randomness;
mod rate_limiter;
mod turns;
mod vault;

pub use clock::SystemClock;
pub use ids::TimeOrderedIds;
pub use password_hasher::Argon2idHasher;
pub use randomness::SystemRandomness;
pub use rate_limiter::{InMemoryRateLimiter, Quotas};
pub use vault::MasterKeyVault;
pub(crate) use vault::id_of;
