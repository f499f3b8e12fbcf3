//! The requests that wait for room: a queue for each party. Free room goes to the party with the least of the pool, and
//! in turn to parties with the same amount.

use std::collections::VecDeque;

use tokio::sync::oneshot;

use super::shares::{Room, Shares};
use super::{Party, Spent};

/// The maximum number of requests that wait for a pool.
const MAX_WAITING: usize = 512;

/// The maximum number of requests of one party that wait for a pool.
pub(super) const MAX_WAITING_OF_ONE: usize = 64;

/// A waiting request, which is granted a `G`.
pub(super) struct Waiter<G> {
    id: u64,
    /// The amount it needs, in KiB.
    pub(super) kib: usize,
    /// Receives the grant.
    pub(super) granted: oneshot::Sender<G>,
}

/// The waiting requests.
pub(super) struct Queues<G> {
    of_parties: VecDeque<(Party, VecDeque<Waiter<G>>)>,
    waiting: usize,
    last_id: u64,
}

impl<G> Default for Queues<G> {
    fn default() -> Self {
        Self { of_parties: VecDeque::new(), waiting: 0, last_id: 0 }
    }
}

impl<G> Queues<G> {
    /// Whether nobody waits.
    pub(super) const fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Adds a request to the queue of its party.
    pub(super) fn join(
        &mut self,
        party: Party,
        kib: usize,
    ) -> Result<(u64, oneshot::Receiver<G>), Spent> {
        let known = self.of_parties.iter_mut().find(|(whose, _)| *whose == party);
        let of_one = known.as_ref().map_or(0, |(_, waiters)| waiters.len());
        if self.waiting >= MAX_WAITING || of_one >= MAX_WAITING_OF_ONE {
            return Err(Spent);
        }
        self.last_id += 1;
        let (granted, receiver) = oneshot::channel();
        let waiter = Waiter { id: self.last_id, kib, granted };
        match known {
            Some((_, waiters)) => waiters.push_back(waiter),
            None => self.of_parties.push_back((party, VecDeque::from([waiter]))),
        }
        self.waiting += 1;
        Ok((self.last_id, receiver))
    }

    /// The next request that is granted its amount; its party then moves behind the others. While a request lacks room,
    /// requests of parties that have more wait too: otherwise it would wait as long as smaller ones arrive.
    pub(super) fn next(&mut self, shares: &Shares) -> Option<(Party, Waiter<G>)> {
        let mut order: Vec<_> = self.of_parties.iter().enumerate().collect();
        order.sort_by_key(|(_, (party, _))| shares.of(*party));
        let mut lets_go_first = false;
        let found = order.into_iter().find(|(_, (party, waiters))| {
            let room = waiters.front().map(|first| shares.room(*party, first.kib));
            let goes = room == Some(Room::Little) || (room == Some(Room::There) && !lets_go_first);
            lets_go_first |= room == Some(Room::Lacking);
            goes
        });
        let (place, _) = found?;
        let (party, mut waiters) = self.of_parties.remove(place)?;
        let waiter = waiters.pop_front()?;
        self.waiting -= 1;
        if !waiters.is_empty() {
            self.of_parties.push_back((party, waiters));
        }
        Some((party, waiter))
    }

    /// Removes a request; returns whether it was still waiting.
    pub(super) fn leave(&mut self, party: Party, id: u64) -> bool {
        let Some(place) = self.of_parties.iter().position(|(whose, _)| *whose == party) else {
            return false;
        };
        let Some((_, waiters)) = self.of_parties.get_mut(place) else { return false };
        let before = waiters.len();
        waiters.retain(|waiter| waiter.id != id);
        let left = before - waiters.len();
        self.waiting -= left;
        if waiters.is_empty() {
            self.of_parties.remove(place);
        }
        left > 0
    }
}
