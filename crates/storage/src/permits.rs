//! Permits for a bounded number of connections, shared fairly between companies.
//!
//! A call that waits for a permit holds no thread. Free permits go to the companies in round-robin, and not to the
//! calls in the order of their arrival, so a company with many calls delays only its own calls. Heavy work, such as a
//! list or a bulk, never takes all permits, and one company has at most two thirds of those that heavy work may have.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::gauge;
use tokio::sync::oneshot;

use contact_hub_domain::ids::CompanyId;

/// The most calls that wait in one pool.
const MAX_WAITING: usize = 20_000;

/// The most calls of one company that wait in one pool for work of the same weight.
const MAX_WAITING_OF_ONE: usize = 1_000;

/// The company and the weight of some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Share {
    /// The company; `None` for work that belongs to none.
    pub(crate) company: Option<CompanyId>,
    /// Whether it may take long: a list, a search, a bulk.
    pub(crate) heavy: bool,
}

impl Share {
    /// Short work that belongs to no company.
    pub(crate) const COMMON: Self = Self { company: None, heavy: false };

    /// Short work of a company.
    pub(crate) const fn of(company: CompanyId) -> Self {
        Self { company: Some(company), heavy: false }
    }

    /// Work of a company that may take long.
    pub(crate) const fn heavy(company: CompanyId) -> Self {
        Self { company: Some(company), heavy: true }
    }
}

/// The permits of one pool.
pub(crate) struct Permits {
    pool: &'static str,
    max_heavy: usize,
    max_heavy_of_one: usize,
    state: Mutex<State>,
}

struct State {
    free: usize,
    heavy: usize,
    /// One entry for each company whose heavy work is in progress.
    heavy_of: HashMap<Option<CompanyId>, usize>,
    /// The waiting companies, in the order in which they get permits.
    queues: VecDeque<Queue>,
    waiting: usize,
    last_call: u64,
}

struct Queue {
    share: Share,
    calls: VecDeque<Call>,
}

struct Call {
    id: u64,
    granted: oneshot::Sender<Permit>,
}

/// Too many calls wait already.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("too many calls wait for a database connection")]
pub(crate) struct QueueFull;

impl Permits {
    /// Creates this many permits, of which heavy work gets at most `max_heavy`.
    pub(crate) fn new(pool: &'static str, size: usize, max_heavy: usize) -> Arc<Self> {
        gauge!("contact_hub_db_connections_max", "pool" => pool)
            .set(u32::try_from(size).unwrap_or(u32::MAX));
        let state = State {
            free: size,
            heavy: 0,
            heavy_of: HashMap::new(),
            queues: VecDeque::new(),
            waiting: 0,
            last_call: 0,
        };
        Arc::new(Self {
            pool,
            max_heavy: max_heavy.max(1),
            max_heavy_of_one: (max_heavy * 2 / 3).max(1),
            state: Mutex::new(state),
        })
    }

    /// Waits for a permit for this share.
    pub(crate) async fn take(self: &Arc<Self>, share: Share) -> Result<Permit, QueueFull> {
        let (id, granted) = {
            let mut state = self.state();
            if self.grants(&state, share) {
                return Ok(self.grant(&mut state, share));
            }
            state.enqueue(share)?
        };
        let _waiting = Waiting::start(self, share, id);
        granted.await.map_err(|_closed| QueueFull)
    }

    /// Returns a permit if one is free.
    pub(crate) fn take_at_once(self: &Arc<Self>, share: Share) -> Option<Permit> {
        let mut state = self.state();
        self.grants(&state, share).then(|| self.grant(&mut state, share))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a permit can be granted to this share. While one is free, no waiting call may take it.
    fn grants(&self, state: &State, share: Share) -> bool {
        let of_one = || state.heavy_of.get(&share.company).copied().unwrap_or_default();
        state.free > 0
            && (!share.heavy || (state.heavy < self.max_heavy && of_one() < self.max_heavy_of_one))
    }

    fn grant(self: &Arc<Self>, state: &mut State, share: Share) -> Permit {
        state.free -= 1;
        if share.heavy {
            state.heavy += 1;
            *state.heavy_of.entry(share.company).or_default() += 1;
        }
        gauge!("contact_hub_db_connections_in_use", "pool" => self.pool).increment(1);
        Permit { permits: Arc::clone(self), share }
    }

    fn give_back(self: &Arc<Self>, share: Share) {
        gauge!("contact_hub_db_connections_in_use", "pool" => self.pool).decrement(1);
        let mut granted = Vec::new();
        {
            let mut state = self.state();
            state.free += 1;
            if share.heavy {
                state.heavy -= 1;
                state.end_heavy(share.company);
            }
            while let Some((call, share)) = self.next(&mut state) {
                granted.push((call, self.grant(&mut state, share)));
            }
        }
        for (call, permit) in granted {
            // A call that has just given up drops the permit, and the next one gets it.
            call.granted.send(permit).ok();
        }
    }

    /// The next call that gets a permit; its company then moves to the end of the queue.
    fn next(&self, state: &mut State) -> Option<(Call, Share)> {
        let found = state.queues.iter().position(|queue| self.grants(state, queue.share))?;
        let mut queue = state.queues.remove(found)?;
        let call = queue.calls.pop_front()?;
        let share = queue.share;
        state.waiting -= 1;
        if !queue.calls.is_empty() {
            state.queues.push_back(queue);
        }
        Some((call, share))
    }
}

impl State {
    fn enqueue(&mut self, share: Share) -> Result<(u64, oneshot::Receiver<Permit>), QueueFull> {
        let known = self.queues.iter_mut().find(|queue| queue.share == share);
        let of_one = known.as_ref().map_or(0, |queue| queue.calls.len());
        if self.waiting >= MAX_WAITING || of_one >= MAX_WAITING_OF_ONE {
            return Err(QueueFull);
        }
        self.last_call += 1;
        let (granted, receiver) = oneshot::channel();
        let call = Call { id: self.last_call, granted };
        match known {
            Some(queue) => queue.calls.push_back(call),
            None => self.queues.push_back(Queue { share, calls: VecDeque::from([call]) }),
        }
        self.waiting += 1;
        Ok((self.last_call, receiver))
    }

    fn end_heavy(&mut self, company: Option<CompanyId>) {
        if let Some(count) = self.heavy_of.get_mut(&company) {
            *count -= 1;
            if *count == 0 {
                self.heavy_of.remove(&company);
            }
        }
    }

    /// Removes a call that gave up.
    fn forget(&mut self, share: Share, id: u64) {
        let Some(place) = self.queues.iter().position(|queue| queue.share == share) else {
            return;
        };
        if let Some(queue) = self.queues.get_mut(place) {
            let before = queue.calls.len();
            queue.calls.retain(|call| call.id != id);
            self.waiting -= before - queue.calls.len();
            if queue.calls.is_empty() {
                self.queues.remove(place);
            }
        }
    }
}

/// Counts a waiting call, and removes it when it gives up or its client disconnects.
struct Waiting<'a> {
    permits: &'a Permits,
    share: Share,
    id: u64,
}

impl<'a> Waiting<'a> {
    fn start(permits: &'a Permits, share: Share, id: u64) -> Self {
        gauge!("contact_hub_db_requests_waiting", "pool" => permits.pool).increment(1);
        Self { permits, share, id }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        gauge!("contact_hub_db_requests_waiting", "pool" => self.permits.pool).decrement(1);
        self.permits.state().forget(self.share, self.id);
    }
}

/// The right to use a connection of a pool, until it is dropped.
pub(crate) struct Permit {
    permits: Arc<Permits>,
    share: Share,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.permits.give_back(self.share);
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn company(number: u128) -> CompanyId {
        CompanyId::new(uuid::Uuid::from_u128(number))
    }

    fn poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        match std::pin::Pin::new(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_freed_turn_goes_to_the_companies_one_after_the_other() {
        let permits = Permits::new("test", 1, 1);
        let held = permits.take_at_once(Share::of(company(1)));
        let mut many: Vec<_> =
            (0..3).map(|_| Box::pin(permits.take(Share::of(company(1))))).collect();
        assert!(many.iter_mut().all(|call| poll(call).is_none()));
        let mut other = Box::pin(permits.take(Share::of(company(2))));
        assert!(poll(&mut other).is_none());
        drop(held);
        let first = poll(&mut many[0]).expect("the first that came").ok();
        assert!(poll(&mut other).is_none(), "it waits for its permit");
        drop(first);
        assert!(poll(&mut many[1]).is_none(), "its company has just had one");
        assert!(poll(&mut other).is_some(), "one call of another company goes before the rest");
    }

    #[test]
    fn heavy_work_leaves_turns_for_other_companies_and_for_short_work() {
        let permits = Permits::new("test", 8, 6);
        let take = |share| permits.take_at_once(share);
        let one: Vec<_> = (0..5).filter_map(|_| take(Share::heavy(company(1)))).collect();
        assert_eq!(one.len(), 4);
        let two: Vec<_> = (0..5).filter_map(|_| take(Share::heavy(company(2)))).collect();
        assert_eq!(two.len(), 2);
        let short: Vec<_> = (0..5).filter_map(|_| take(Share::COMMON)).collect();
        assert_eq!(short.len(), 2);
    }

    #[test]
    fn a_call_that_gives_up_keeps_no_place_and_no_turn() {
        let permits = Permits::new("test", 1, 1);
        let held = permits.take_at_once(Share::COMMON);
        let mut left = Box::pin(permits.take(Share::heavy(company(1))));
        assert!(poll(&mut left).is_none());
        drop(left);
        let mut granted = Box::pin(permits.take(Share::COMMON));
        assert!(poll(&mut granted).is_none());
        drop(held);
        drop(granted);
        let state = permits.state();
        assert_eq!((state.free, state.waiting, state.queues.len()), (1, 0, 0));
    }

    #[test]
    fn calls_that_wait_are_bounded_by_company() {
        let permits = Permits::new("test", 1, 1);
        let _held = permits.take_at_once(Share::COMMON);
        let mut calls: Vec<_> = (0..MAX_WAITING_OF_ONE)
            .map(|_| Box::pin(permits.take(Share::of(company(1)))))
            .collect();
        assert!(calls.iter_mut().all(|call| poll(call).is_none()));
        let refused = poll(&mut Box::pin(permits.take(Share::of(company(1)))));
        assert!(matches!(refused, Some(Err(QueueFull))));
        assert!(poll(&mut Box::pin(permits.take(Share::of(company(2))))).is_none());
    }
}
