//! Work that writers left for later (see [`crate::deferred`]): its kinds, and how much each company has left as far as
//! this process knows.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

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
    pub(crate) left: Left,
}

/// What a batch saw of the work that its company has left, in units of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Exactly(usize),
    AtLeast(usize),
}

impl Batch {
    /// A batch that found nothing to do.
    pub(crate) const EMPTY: Self = Self { size: 0, left: Left::Exactly(0) };

    /// Whether the company has more.
    pub(crate) fn has_more(&self) -> bool {
        self.left != Left::Exactly(0)
    }
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
    pub(crate) const fn most(self) -> usize {
        self.many() + self.many() / 2
    }
}

/// The work that this process left or found. Other processes leave and do work as well, so the numbers are estimates, which
/// each batch corrects.
#[derive(Default)]
pub(crate) struct Backlog {
    state: Mutex<State>,
    grown: Notify,
    /// Wakes the writers that wait for another one's batch.
    shrunk: Notify,
}

#[derive(Default)]
struct State {
    sizes: HashMap<(Work, CompanyId), usize>,
    /// What a writer is doing.
    helped: HashSet<(Work, CompanyId)>,
}

/// What a writer does before it continues.
pub(crate) enum Turn<'a> {
    Continue,
    /// A batch.
    Help(Help<'a>),
    /// It waits until another writer has done a batch: there is so much that no writer may continue.
    Wait,
}

/// A writer does a batch of a kind of work of which its company has much. Until this is dropped, the company's other
/// writers do none: they would only wait for the same locks.
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
        self.backlog.shrunk.notify_waiters();
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
        let known = sizes.remove(&(work, company)).unwrap_or_default();
        let left = match by.left {
            Left::Exactly(left) => left,
            Left::AtLeast(left) => known.saturating_sub(by.size).max(left),
        };
        if left > 0 {
            sizes.insert((work, company), left);
        }
        self.shrunk.notify_waiters();
    }

    /// What a writer of the company has to do before it continues.
    pub(crate) fn turn(&self, company: CompanyId) -> Turn<'_> {
        let State { sizes, helped } = &mut *self.state();
        let size_of = |work| sizes.get(&(work, company)).copied().unwrap_or_default();
        let mut much = Work::ALL.into_iter().filter(|work| size_of(*work) >= work.many());
        let free = much.clone().find(|work| !helped.contains(&(*work, company)));
        if let Some(work) = free {
            helped.insert((work, company));
            let is_urgent = size_of(work) >= work.most();
            return Turn::Help(Help { work, is_urgent, company, backlog: self });
        }
        if much.any(|work| size_of(work) >= work.most()) { Turn::Wait } else { Turn::Continue }
    }

    /// Waits until a batch was done since this was called.
    pub(crate) fn shrunk(&self) -> Notified<'_> {
        self.shrunk.notified()
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

    fn help(backlog: &Backlog) -> Help<'_> {
        match backlog.turn(COMPANY) {
            Turn::Help(help) => help,
            Turn::Continue | Turn::Wait => unreachable!("nobody helps"),
        }
    }

    #[tokio::test]
    async fn one_writer_at_a_time_helps_and_the_others_wait_when_the_backlog_is_urgent() {
        let (backlog, work) = (Backlog::default(), Work::Counts);
        backlog.grow(work, COMPANY, work.many() - 1);
        assert!(matches!(backlog.turn(COMPANY), Turn::Continue));
        backlog.grow(work, COMPANY, 1);
        let first = help(&backlog);
        assert!(!first.is_urgent && matches!(backlog.turn(COMPANY), Turn::Continue));
        backlog.grow(work, COMPANY, work.most());
        let shrunk = backlog.shrunk();
        assert!(matches!(backlog.turn(COMPANY), Turn::Wait));
        drop(first);
        shrunk.await;
        let second = help(&backlog);
        assert!(second.is_urgent && matches!(backlog.turn(COMPANY), Turn::Wait));
        backlog.shrink(work, COMPANY, &Batch { size: work.most() * 2, left: Left::Exactly(0) });
        assert!(matches!(backlog.turn(COMPANY), Turn::Continue));
    }

    #[test]
    fn a_batch_corrects_what_is_known_of_the_work_of_other_processes() {
        let (backlog, work) = (Backlog::default(), Work::Counts);
        let shrink = |left| backlog.shrink(work, COMPANY, &Batch { size: 1, left });
        assert!(matches!(backlog.turn(COMPANY), Turn::Continue));
        shrink(Left::AtLeast(work.many() + 1));
        assert!(!help(&backlog).is_urgent);
        shrink(Left::AtLeast(2));
        assert!(!help(&backlog).is_urgent);
        shrink(Left::AtLeast(work.most()));
        assert!(help(&backlog).is_urgent);
        shrink(Left::Exactly(work.many() - 1));
        assert!(matches!(backlog.turn(COMPANY), Turn::Continue));
    }
}
