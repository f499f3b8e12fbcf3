//! How much work each company has left, as far as this process knows.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use contact_hub_domain::ids::CompanyId;

use super::{Batch, Work};

/// The work that this process left. Other processes leave and do work as well, so the numbers are estimates; that of a
/// company without any work is corrected when that is seen.
#[derive(Default)]
pub(crate) struct Backlog {
    sizes: Mutex<HashMap<(Work, CompanyId), usize>>,
    grown: Notify,
}

impl Backlog {
    /// Work was left, or will be when its transaction commits.
    pub(crate) fn grow(&self, work: Work, company: CompanyId, by: usize) {
        let mut sizes = self.sizes();
        let size = sizes.entry((work, company)).or_default();
        *size = size.saturating_add(by);
        drop(sizes);
        self.grown.notify_one();
    }

    /// A batch was done.
    pub(super) fn shrink(&self, work: Work, company: CompanyId, by: &Batch) {
        let mut sizes = self.sizes();
        let left = sizes.get(&(work, company)).map_or(0, |size| size.saturating_sub(by.size));
        if by.more && left > 0 {
            sizes.insert((work, company), left);
        } else {
            sizes.remove(&(work, company));
        }
    }

    /// A kind of work of which the company has too much.
    pub(super) fn excess(&self, company: CompanyId) -> Option<Work> {
        let sizes = self.sizes();
        let is_excess =
            |work: &Work| sizes.get(&(*work, company)).is_some_and(|size| *size >= work.most());
        Work::ALL.into_iter().find(is_excess)
    }

    /// Waits until work was left since the previous call.
    pub(super) async fn grown(&self) {
        self.grown.notified().await;
    }

    fn sizes(&self) -> MutexGuard<'_, HashMap<(Work, CompanyId), usize>> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
