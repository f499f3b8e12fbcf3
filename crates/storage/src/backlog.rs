//! Work that writers left for later (see [`crate::deferred`]): its kinds, and how much each company has left as far as
//! this process knows.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use contact_hub_domain::ids::CompanyId;

/// A kind of deferred work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// Applying changes of counts. Its units are bytes of their documents, with a number of them for each value (see
    /// [`crate::counts`]), because both the memory and the time of a batch are bounded.
    Counts,
    /// Removing deleted contacts from the indexes of the lists of SQLite; its units are contacts.
    Unlisting,
}

/// What a batch of work did.
pub(crate) struct Batch {
    /// In units of the work.
    pub(crate) size: usize,
    /// Whether the company has more.
    pub(crate) more: bool,
}

impl Work {
    /// Every kind.
    pub(crate) const ALL: [Self; 2] = [Self::Counts, Self::Unlisting];

    /// From this many units on, a company's next writer first does some. Reads take account of as many.
    const fn most(self) -> usize {
        match self {
            Self::Counts => 4 << 20,
            Self::Unlisting => 5_000,
        }
    }
}

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
    pub(crate) fn shrink(&self, work: Work, company: CompanyId, by: &Batch) {
        let mut sizes = self.sizes();
        let left = sizes.get(&(work, company)).map_or(0, |size| size.saturating_sub(by.size));
        if by.more && left > 0 {
            sizes.insert((work, company), left);
        } else {
            sizes.remove(&(work, company));
        }
    }

    /// A kind of work of which the company has too much.
    pub(crate) fn excess(&self, company: CompanyId) -> Option<Work> {
        let sizes = self.sizes();
        let is_excess =
            |work: &Work| sizes.get(&(*work, company)).is_some_and(|size| *size >= work.most());
        Work::ALL.into_iter().find(is_excess)
    }

    /// Waits until work was left since the previous call.
    pub(crate) async fn grown(&self) {
        self.grown.notified().await;
    }

    fn sizes(&self) -> MutexGuard<'_, HashMap<(Work, CompanyId), usize>> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
