//! One pool of the budget: what is in use, and which requests wait.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::{Gauge, gauge};
use tokio::time::{Instant, timeout_at};

use super::queue::{Queues, Waiter};
use super::shares::{Room, Shares};
use super::{Party, Spent};

/// A pool.
pub(super) struct Pool {
    state: Mutex<State>,
    /// The bytes in use, which all budgets of the process share.
    in_use: Gauge,
}

struct State {
    shares: Shares,
    queues: Queues<Portion>,
}

/// A party's part of a pool, until this is dropped.
pub(super) struct Portion {
    pool: Arc<Pool>,
    party: Party,
    kib: usize,
}

impl Pool {
    /// A pool of this many KiB.
    pub(super) fn new(all: usize, name: &'static str) -> Arc<Self> {
        gauge!("contact_hub_budget_limit_bytes", "pool" => name).set(bytes(all));
        let in_use = gauge!("contact_hub_budget_in_use_bytes", "pool" => name);
        let state = State { shares: Shares::new(all), queues: Queues::default() };
        Arc::new(Self { state: Mutex::new(state), in_use })
    }

    /// The maximum that a party can have.
    pub(super) fn most(&self) -> usize {
        self.state().shares.most()
    }

    /// Takes this much for a party if there is room now.
    pub(super) fn take(self: &Arc<Self>, party: Party, kib: usize) -> Option<Portion> {
        let mut state = self.state();
        state.shares.room(party, kib).is_there().then(|| self.grant(&mut state, party, kib))
    }

    /// As [`Self::take`], but waits for room behind the requests that wait already. A request that leaves its party with
    /// little does not wait for requests that want more.
    pub(super) async fn wait(
        self: &Arc<Self>,
        party: Party,
        kib: usize,
        until: impl FnOnce() -> Instant,
    ) -> Result<Portion, Spent> {
        let (id, granted) = {
            let mut state = self.state();
            let room = state.shares.room(party, kib);
            if room == Room::Little || (room == Room::There && state.queues.is_empty()) {
                return Ok(self.grant(&mut state, party, kib));
            }
            if kib > state.shares.most() {
                return Err(Spent);
            }
            let joined = state.queues.join(party, kib)?;
            state.shares.begin_waiting(party);
            joined
        };
        let _waiting = Waiting { pool: self, party, id };
        self.free(|_state| {});
        timeout_at(until(), granted).await.map_err(|_elapsed| Spent)?.map_err(|_closed| Spent)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn grant(self: &Arc<Self>, state: &mut State, party: Party, kib: usize) -> Portion {
        state.shares.take(party, kib);
        self.in_use.increment(bytes(kib));
        Portion { pool: Arc::clone(self), party, kib }
    }

    /// Changes the state so that there may be room, and grants it to waiting requests.
    fn free(self: &Arc<Self>, change: impl FnOnce(&mut State)) {
        let mut granted: Vec<(Waiter<Portion>, Portion)> = Vec::new();
        {
            let mut state = self.state();
            change(&mut state);
            while let Some((party, waiter)) = state.next() {
                let portion = self.grant(&mut state, party, waiter.kib);
                granted.push((waiter, portion));
            }
        }
        for (waiter, portion) in granted {
            // A request that has just given up drops the portion, and the next one gets it.
            waiter.granted.send(portion).ok();
        }
    }
}

impl State {
    fn next(&mut self) -> Option<(Party, Waiter<Portion>)> {
        let (party, waiter) = self.queues.next(&self.shares)?;
        self.shares.end_waiting(party);
        Some((party, waiter))
    }
}

impl Portion {
    pub(super) const fn kib(&self) -> usize {
        self.kib
    }

    /// Adds another portion of the same party and pool.
    pub(super) fn merge(&mut self, mut other: Self) {
        self.kib += std::mem::take(&mut other.kib);
    }
}

impl Drop for Portion {
    fn drop(&mut self) {
        if self.kib > 0 {
            self.pool.in_use.decrement(bytes(self.kib));
            self.pool.free(|state| state.shares.give_back(self.party, self.kib));
        }
    }
}

fn bytes(kib: usize) -> f64 {
    f64::from(u32::try_from(kib).unwrap_or(u32::MAX)) * 1024.0
}

/// Removes a request from its queue when it gives up or its client goes away.
struct Waiting<'a> {
    pool: &'a Arc<Pool>,
    party: Party,
    id: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.pool.free(|state| {
            if state.queues.leave(self.party, self.id) {
                state.shares.end_waiting(self.party);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};
    use std::time::Duration;

    use tokio::time::Instant;
    use uuid::Uuid;

    use contact_hub_domain::ids::CompanyId;

    use super::{Party, Pool};

    fn company(n: u128) -> Party {
        Party::Company(CompanyId::new(Uuid::from_u128(n)))
    }

    fn poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        match std::pin::Pin::new(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        }
    }

    #[tokio::test]
    async fn room_goes_to_the_party_with_the_least_and_alternates_between_equal_ones() {
        let pool = Pool::new(960, "held");
        let held: Vec<_> = (10..15).map(|n| pool.take(company(n), 160).expect("a place")).collect();
        let mut held = held.into_iter();
        let until = Instant::now() + Duration::from_mins(1);
        let wait = |n, kib| Box::pin(pool.wait(company(n), kib, move || until));
        let (mut greedy, mut first) = (wait(10, 160), wait(1, 160));
        let (mut again, mut second) = (wait(1, 100), wait(2, 160));
        for waiting in [&mut greedy, &mut first, &mut again, &mut second] {
            assert!(poll(waiting).is_none());
        }
        let kept = held.next();
        drop(held.next());
        let first = poll(&mut first).expect("it came before the second");
        assert!(poll(&mut second).is_none());
        drop(held.next());
        let second = poll(&mut second).expect("its company has nothing yet");
        assert!(poll(&mut again).is_none() && poll(&mut greedy).is_none());
        drop((first, second, held));
        assert!(poll(&mut again).is_some());
        drop(kept);
        assert!(poll(&mut greedy).is_some());
    }

    #[tokio::test]
    async fn a_large_request_is_not_starved_by_smaller_ones() {
        let pool = Pool::new(960, "held");
        let mut held: Vec<_> = (10..21).filter_map(|n| pool.take(company(n), 80)).collect();
        assert_eq!(held.len(), 11, "all but the reserve");
        let until = Instant::now() + Duration::from_mins(1);
        let wait = |n, kib| Box::pin(pool.wait(company(n), kib, move || until));
        let (mut large, mut smaller, mut little) = (wait(1, 160), wait(2, 80), wait(3, 10));
        assert!(poll(&mut large).is_none() && poll(&mut smaller).is_none());
        assert!(poll(&mut little).is_some(), "the reserve is there for it");
        held.truncate(10);
        assert!(poll(&mut smaller).is_none(), "there would be room for it alone");
        held.truncate(9);
        let large = poll(&mut large).expect("room");
        assert!(poll(&mut smaller).is_none());
        held.truncate(8);
        assert!(poll(&mut smaller).is_some());
        drop(large);
    }

    #[tokio::test]
    async fn an_abandoned_request_keeps_no_place() {
        let pool = Pool::new(960, "held");
        let held = pool.take(company(1), 440).expect("a share");
        let until = Instant::now() + Duration::from_mins(1);
        let mut left = Box::pin(pool.wait(company(1), 160, || until));
        let mut next = Box::pin(pool.wait(company(1), 100, || until));
        assert!(poll(&mut left).is_none() && poll(&mut next).is_none());
        drop(left);
        drop(held);
        let granted = poll(&mut next).expect("room").expect("in time");
        assert_eq!(pool.state().shares.of(company(1)), 100);
        drop(granted);
        assert_eq!(pool.state().shares.of(company(1)), 0);
    }
}
