//! Pages that show changes of deliveries, webhooks and syncs by themselves.
//!
//! A page learns only that something of its company changed, and then reads what it shows.

use async_trait::async_trait;

use crate::ids::CompanyId;

/// The maximum number of pages that one instance keeps up to date.
pub const MOST_PAGES: usize = 1000;

/// The maximum number of these pages of one company.
pub const MOST_PAGES_OF_COMPANY: usize = 100;

/// The maximum number of these pages of one user.
pub const MOST_PAGES_OF_USER: usize = 10;

/// The state of a company's deliveries, webhooks and syncs. If two marks differ, something changed between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(pub u64);

/// Notices changes.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait LiveStore: Send + Sync {
    /// Waits until the company's mark differs from this one; `None` when too many calls wait. Without a known mark it
    /// returns the current one soon. Dropping the call ends the wait.
    async fn changed(&self, company: CompanyId, known: Option<Mark>) -> Option<Mark>;
}
