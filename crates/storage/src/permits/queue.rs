//! The calls that wait for a permit.

use std::collections::VecDeque;

use tokio::sync::oneshot;

use super::{Permit, Share};

/// The maximum number of calls that wait in one pool.
const MAX_WAITING: usize = 20_000;

/// The maximum number of calls of one company that wait in one pool for work of the same weight.
pub(super) const MAX_WAITING_OF_ONE: usize = 1_000;

/// How many calls for short work in a row get a permit while heavy work waits. Those take milliseconds, and heavy work a large
/// part of a second: where there is one permit, short work would wait for the heavy work of each other company in turn.
pub(super) const SHORT_IN_A_ROW: usize = 16;

/// The waiting companies, in the order in which they get permits.
#[derive(Default)]
pub(super) struct Queue {
    calls_of: VecDeque<(Share, VecDeque<Call>)>,
    /// The calls for short work that got a permit since heavy work did.
    short_in_a_row: usize,
    waiting: usize,
    last_call: u64,
}

/// A call that waits.
pub(super) struct Call {
    id: u64,
    pub(super) granted: oneshot::Sender<Permit>,
}

/// Too many calls wait already.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("too many calls wait for a database connection")]
pub(crate) struct QueueFull;

impl Queue {
    /// Adds a call; returns its number and where it gets its permit.
    pub(super) fn add(
        &mut self,
        share: Share,
    ) -> Result<(u64, oneshot::Receiver<Permit>), QueueFull> {
        let known = self.calls_of.iter_mut().find(|(other, _)| *other == share);
        let of_one = known.as_ref().map_or(0, |(_, calls)| calls.len());
        if self.waiting >= MAX_WAITING || of_one >= MAX_WAITING_OF_ONE {
            return Err(QueueFull);
        }
        self.last_call += 1;
        let (granted, receiver) = oneshot::channel();
        let call = Call { id: self.last_call, granted };
        match known {
            Some((_, calls)) => calls.push_back(call),
            None => self.calls_of.push_back((share, VecDeque::from([call]))),
        }
        self.waiting += 1;
        Ok((self.last_call, receiver))
    }

    /// The next call of a share that can be granted; its company then moves to the end of the queue. Short work goes before
    /// heavy work, but not always.
    pub(super) fn next(&mut self, grants: impl Fn(Share) -> bool) -> Option<(Call, Share)> {
        let first = |heavy| {
            self.calls_of.iter().position(|(share, _)| share.heavy == heavy && grants(*share))
        };
        let heavy_is_next = self.short_in_a_row >= SHORT_IN_A_ROW;
        let found = first(heavy_is_next).or_else(|| first(!heavy_is_next))?;
        let (share, mut calls) = self.calls_of.remove(found)?;
        let call = calls.pop_front()?;
        self.waiting -= 1;
        self.short_in_a_row = if share.heavy { 0 } else { self.short_in_a_row.saturating_add(1) };
        if !calls.is_empty() {
            self.calls_of.push_back((share, calls));
        }
        Some((call, share))
    }

    /// Removes a call that gave up.
    pub(super) fn forget(&mut self, share: Share, id: u64) {
        let Some(place) = self.calls_of.iter().position(|(other, _)| *other == share) else {
            return;
        };
        if let Some((_, calls)) = self.calls_of.get_mut(place) {
            let before = calls.len();
            calls.retain(|call| call.id != id);
            self.waiting -= before - calls.len();
            if calls.is_empty() {
                self.calls_of.remove(place);
            }
        }
    }

    /// Whether no call waits, and none is counted as waiting.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.waiting == 0 && self.calls_of.is_empty()
    }
}
