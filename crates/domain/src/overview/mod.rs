//! The first page of a company: its figures, and the problems that need action.
//!
//! Its figures come from small summary rows: calls are counted in memory and recorded for each hour, and the number of
//! contacts is recorded for each day. So reading them costs the same however much data a company has.

mod calls;
mod contact_days;
mod imports;
mod key_days;
mod period;
mod port;
mod read;
mod setup;
mod standing;

use std::time::Duration;

pub use calls::{CallCounts, HourlyCalls, record_calls};
pub use contact_days::{ContactDay, record_contact_days};
pub use imports::{ImportCounts, LastImport, record_import};
pub use key_days::{KeyDay, key_days};
pub use period::Period;
#[cfg(any(test, feature = "mocks"))]
pub use port::MockOverviewStore;
pub use port::{CompanyOverview, OverviewStore, Since};
pub use read::read;
pub use setup::SetupSteps;
pub use standing::{FailedSync, FailingWebhook, SyncTotals};

/// How long the recorded figures are kept: a few days more than the longest period shows.
pub const KEPT_FOR: Duration = Duration::from_hours(35 * 24);
