//! Calls that may be sent twice: a call with an `Idempotency-Key` is executed once, and a repetition gets the same
//! answer.
//!
//! [`begin`](begin()) returns the answer that was kept, or a [`Running`] call. The use case of that call takes the ports
//! of [`Running::ports`], so that what it writes is not committed before [`Running::keep`] has stored its answer in
//! the same transaction.

mod begin;
mod error;
mod key;
mod port;

pub use begin::{Begun, Running, begin};
pub use error::IdempotencyError;
pub use key::{IdempotencyKey, MAX_IDEMPOTENCY_KEY};
pub use port::{Attempt, CallStore, Fingerprint, KeptAnswer, KeptCall, KeyedCall, LookUp, Start};
#[cfg(any(test, feature = "mocks"))]
pub use port::{MockAttempt, MockCallStore};

use std::time::Duration;

/// How long an answer is kept.
pub const KEPT_FOR: Duration = Duration::from_hours(24);

/// The largest answer that is kept, in bytes.
pub const MAX_KEPT_ANSWER: usize = 16 << 20;
