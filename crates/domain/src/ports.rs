//! The ports that belong to no single capability, and the error that every store port shares.
//!
//! Time and randomness come only from [`Clock`], [`Ids`] and [`Randomness`].

use uuid::Uuid;

use crate::time::Timestamp;

/// Provides the time.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;
}

/// Creates ids.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Ids: Send + Sync {
    /// A new UUID version 7 (RFC 9562). The ids of one instance increase with every call.
    fn next(&self) -> Uuid;
}

/// Provides bytes from a cryptographically secure source.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Randomness: Send + Sync {
    /// 32 new bytes.
    fn bytes(&self) -> [u8; 32];
}

/// Why a store failed. Absence is never an error: it is `None` or a separate outcome.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store is unreachable, overloaded or timed out, and a retry may succeed. Nothing was written, unless the
    /// connection was lost during a commit: whether that was done is then unknown.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A stored row violates an invariant; only an operator can repair it.
    #[error("a stored row is corrupt: {0}")]
    Corrupt(String),
    /// The store rejected a statement for an unexpected reason.
    #[error("the store failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}
