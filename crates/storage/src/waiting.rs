//! Calls that wait until something changes in their companies.
//!
//! One task polls for all of them with one statement, so the number of statements does not grow with the number of
//! calls, and none is made when no call waits. It also finds what other instances wrote.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use contact_hub_domain::ids::CompanyId;

/// The calls that wait: what each of them knows, and what it is woken with.
pub(crate) struct Waiting<Known, News>(Mutex<State<Known, News>>);

struct State<Known, News> {
    calls: HashMap<u64, Call<Known, News>>,
    last_id: u64,
    /// Whether a task polls for them.
    is_watched: bool,
}

struct Call<Known, News> {
    company: CompanyId,
    known: Known,
    news: oneshot::Sender<News>,
}

/// A call's place among those that wait. Dropping it ends the wait.
pub(crate) struct Place<'a, Known, News> {
    waiting: &'a Waiting<Known, News>,
    id: u64,
    news: oneshot::Receiver<News>,
}

impl<Known, News> Place<'_, Known, News> {
    /// Waits for news; `None` when the task ended without any.
    pub(crate) async fn news(&mut self) -> Option<News> {
        (&mut self.news).await.ok()
    }
}

impl<Known, News> Drop for Place<'_, Known, News> {
    fn drop(&mut self) {
        self.waiting.state().calls.remove(&self.id);
    }
}

impl<Known, News> Default for Waiting<Known, News> {
    fn default() -> Self {
        Self(Mutex::new(State { calls: HashMap::new(), last_id: 0, is_watched: false }))
    }
}

impl<Known: Copy, News> Waiting<Known, News> {
    /// Begins to wait, and starts the task if none runs. `None` when the company, or all together, have too many calls.
    pub(crate) fn join(
        &self,
        company: CompanyId,
        known: Known,
        most: (usize, usize),
        start: impl FnOnce(),
    ) -> Option<Place<'_, Known, News>> {
        let mut state = self.state();
        let (most_of_company, most) = most;
        let of_company = state.calls.values().filter(|it| it.company == company).count();
        if state.calls.len() >= most || of_company >= most_of_company {
            return None;
        }
        state.last_id += 1;
        let (id, (sender, news)) = (state.last_id, oneshot::channel());
        state.calls.insert(id, Call { company, known, news: sender });
        if !std::mem::replace(&mut state.is_watched, true) {
            start();
        }
        Some(Place { waiting: self, id, news })
    }

    /// The company of each call and what it knows; `None` when no call waits, after which the task must end.
    pub(crate) fn calls(&self) -> Option<Vec<(CompanyId, Known)>> {
        let mut state = self.state();
        if state.calls.is_empty() {
            state.is_watched = false;
            return None;
        }
        Some(state.calls.values().map(|it| (it.company, it.known)).collect())
    }

    /// Wakes the calls for which there is news.
    pub(crate) fn wake(&self, news: impl Fn(CompanyId, Known) -> Option<News>) {
        let mut state = self.state();
        let found =
            state.calls.iter().filter_map(|(id, it)| Some((*id, news(it.company, it.known)?)));
        for (id, news) in found.collect::<Vec<_>>() {
            if let Some(call) = state.calls.remove(&id) {
                // A call that has just ended needs no news.
                call.news.send(news).ok();
            }
        }
    }
}

impl<Known, News> Waiting<Known, News> {
    fn state(&self) -> MutexGuard<'_, State<Known, News>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
