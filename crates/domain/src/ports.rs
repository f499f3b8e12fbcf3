//! The ports that belong to no single capability, and the error that every store port shares.
//!
//! Time and chance come in through [`Clock`], [`Ids`] and [`Randomness`]; the rest of the crate is a function of its input.

use uuid::Uuid;

use crate::time::Timestamp;

/// Tells the time.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// Makes ids.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Ids: Send + Sync {
    /// A new UUID version 7 (RFC 9562). Ids of one instance rise in the order in which they are asked for.
    fn next(&self) -> Uuid;
}

/// Gives bytes that nobody can guess, from a cryptographically secure source.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Randomness: Send + Sync {
    /// 32 fresh bytes.
    fn bytes(&self) -> [u8; 32];
}

/// Why a store could not do its work. Absence is never an error: it is a `None` or an outcome of its own.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store is away, busy past the wait, or ran out of time; nothing was written. A later try may succeed.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A stored row breaks an invariant; only an operator can mend it.
    #[error("a stored row is corrupt: {0}")]
    Corrupt(String),
    /// The store refused a statement in a way that the adapter did not foresee.
    #[error("the store failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}
