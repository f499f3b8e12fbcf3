//! How much each company's changes still have to be applied, as far as this process knows.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use contact_hub_domain::ids::CompanyId;

/// From this many on, a company's next writer first applies some. A read of values adds up as many.
const MOST: usize = 50_000;

/// The rows and entries that this process appended. Other processes append and apply as well, so the numbers are
/// estimates; that of a company without any changes is corrected when that is seen.
#[derive(Default)]
pub(crate) struct CountBacklog {
    sizes: Mutex<HashMap<CompanyId, usize>>,
    grown: Notify,
}

impl CountBacklog {
    /// Rows and entries were appended, or will be when their transaction commits.
    pub(super) fn grow(&self, company: CompanyId, by: usize) {
        let mut sizes = self.sizes();
        let size = sizes.entry(company).or_default();
        *size = size.saturating_add(by);
        drop(sizes);
        self.grown.notify_one();
    }

    /// Rows and entries were applied.
    pub(super) fn shrink(&self, company: CompanyId, by: usize) {
        let mut sizes = self.sizes();
        if let Some(size) = sizes.get_mut(&company) {
            *size = size.saturating_sub(by);
            if *size == 0 {
                sizes.remove(&company);
            }
        }
    }

    /// The company has no changes that are not applied.
    pub(super) fn clear(&self, company: CompanyId) {
        self.sizes().remove(&company);
    }

    /// Whether the company's next writer first applies some.
    pub(super) fn is_full(&self, company: CompanyId) -> bool {
        self.sizes().get(&company).is_some_and(|size| *size >= MOST)
    }

    /// Waits until something was appended since the previous call.
    pub(super) async fn grown(&self) {
        self.grown.notified().await;
    }

    fn sizes(&self) -> MutexGuard<'_, HashMap<CompanyId, usize>> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
