//! Quota that instances share: each leases slices of a client's sliding window.
//!
//! The window is in the shared place, as the moments of calls and the leases that instances hold
//! ([`SharedWindow`]). An instance admits calls within its lease without a round trip, and reports them with its next
//! question ([`LeasedWindow`]). A lease counts as if all of it were spent when it expires, so no span of the window's
//! length admits more than the quota, even if an instance crashes. Leases are small near the limit, and a client that
//! calls rarely needs none. The reasons are in decision 6 (`docs/decisions/0006-shared-limits.md`).

mod leased_window;
#[cfg(test)]
mod leases_tests;
mod shared_window;
mod store;

pub use leased_window::{LeasedWindow, Settlement, Step};
pub use shared_window::{Ask, Grant, Report, SharedWindow, Slice};
#[cfg(any(test, feature = "mocks"))]
pub use store::MockQuotaStore;
pub use store::{
    Answer, LeaseError, QuotaStore, WindowKey, WindowVersion, WriteWindowOutcome, lease,
};
