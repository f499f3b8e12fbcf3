//! Work that writers left for later (see [`crate::deferred`]): its kinds, and how much each company has left as far as
//! this process knows.

use std::collections::{HashMap, HashSet};
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

    /// From this many units on, one of a company's writers at a time does some of the work first.
    const fn many(self) -> usize {
        match self {
            Self::Counts => 8 << 20,
            Self::Unlisting => 5_000,
        }
    }

    /// From this many units on, none of its writers continues before there are fewer. Reads take account of about as
    /// many, so this bounds their memory.
    const fn most(self) -> usize {
        self.many() + self.many() / 2
    }
}

/// The work that this process left. Other processes leave and do work as well, so the numbers are estimates; that of a
/// company without any work is corrected when that is seen.
#[derive(Default)]
pub(crate) struct Backlog {
    state: Mutex<State>,
    grown: Notify,
}

#[derive(Default)]
struct State {
    sizes: HashMap<(Work, CompanyId), usize>,
    /// What a writer is doing.
    helped: HashSet<(Work, CompanyId)>,
}

/// A writer does a batch of a kind of work of which its company has much. Until this is dropped, the company's other
/// writers continue without doing any: they would only wait for the same locks.
pub(crate) struct Help<'a> {
    pub(crate) work: Work,
    /// Whether there is so much that no writer may continue.
    pub(crate) is_urgent: bool,
    company: CompanyId,
    backlog: &'a Backlog,
}

impl Drop for Help<'_> {
    fn drop(&mut self) {
        self.backlog.state().helped.remove(&(self.work, self.company));
    }
}

impl Backlog {
    /// Notes that work was left, or will be when its transaction commits.
    pub(crate) fn grow(&self, work: Work, company: CompanyId, by: usize) {
        let mut state = self.state();
        let size = state.sizes.entry((work, company)).or_default();
        *size = size.saturating_add(by);
        drop(state);
        self.grown.notify_one();
    }

    /// Notes that a batch was done.
    pub(crate) fn shrink(&self, work: Work, company: CompanyId, by: &Batch) {
        let sizes = &mut self.state().sizes;
        let left = sizes.get(&(work, company)).map_or(0, |size| size.saturating_sub(by.size));
        if by.more && left > 0 {
            sizes.insert((work, company), left);
        } else {
            sizes.remove(&(work, company));
        }
    }

    /// What a writer of the company has to do before it continues.
    pub(crate) fn help(&self, company: CompanyId) -> Option<Help<'_>> {
        let State { sizes, helped } = &mut *self.state();
        let size_of = |work| sizes.get(&(work, company)).copied().unwrap_or_default();
        Work::ALL.into_iter().find_map(|work| {
            let (size, is_helped) = (size_of(work), helped.contains(&(work, company)));
            let is_urgent = size >= work.most();
            (is_urgent || (size >= work.many() && !is_helped)).then(|| {
                helped.insert((work, company));
                Help { work, is_urgent, company, backlog: self }
            })
        })
    }

    /// Waits until work was left since the previous call.
    pub(crate) async fn grown(&self) {
        self.grown.notified().await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const COMPANY: CompanyId = CompanyId::new(Uuid::nil());

    #[test]
    fn one_writer_at_a_time_helps_until_the_backlog_is_urgent() {
        let (backlog, work) = (Backlog::default(), Work::Counts);
        backlog.grow(work, COMPANY, work.many() - 1);
        assert!(backlog.help(COMPANY).is_none());
        backlog.grow(work, COMPANY, 1);
        let first = backlog.help(COMPANY).expect("it is much");
        assert!(!first.is_urgent && backlog.help(COMPANY).is_none());
        drop(first);
        let _first = backlog.help(COMPANY).expect("nobody helps");
        backlog.grow(work, COMPANY, work.most());
        let [one, other] = [(); 2].map(|()| backlog.help(COMPANY).expect("it is too much"));
        assert!(one.is_urgent && other.is_urgent);
        drop((one, other));
        backlog.shrink(work, COMPANY, &Batch { size: work.most(), more: false });
        assert!(backlog.help(COMPANY).is_none());
    }
}
