//! The clock, ids and randomness, which only these modules take from the machine; the rate limiters, the password
//! hasher, the verifier of passkeys and the vault.

mod clock;
mod hash_permits;
mod ids;
mod leasing_rate_limiter;
mod passkey_verifier;
mod password_hasher;
mod quota_client;
mod randomness;
mod rate_limiter;
mod shared_place;
mod vault;

pub use clock::SystemClock;
pub use ids::TimeOrderedIds;
pub use leasing_rate_limiter::LeasingRateLimiter;
pub use passkey_verifier::WebauthnVerifier;
pub use password_hasher::Argon2idHasher;
pub use randomness::SystemRandomness;
pub use rate_limiter::{InMemoryRateLimiter, Quotas};
pub use vault::MasterKeyVault;
