//! The writes of one company that wait for a batch.

use std::collections::VecDeque;
use std::sync::Arc;

use contact_hub_traces::Asker;
use tokio::sync::oneshot;

use super::{Reply, SharedWrite};
use crate::permits::QueueFull;

/// The most runs of a company at once.
const MAX_RUNNING: usize = 4;

/// How many writes must wait before another run starts. Fewer are answered sooner by the next batch.
const WORTH_ANOTHER: usize = 32;

/// The most writes of a batch, and the size in bytes from which it takes no more.
const MAX_BATCH: usize = 128;
const MAX_SIZE: usize = 1 << 20;

/// The most writes of a company that wait.
const MAX_WAITING: usize = 1_000;

pub(super) struct Queue<W: SharedWrite> {
    /// In the order of their arrival and of their numbers.
    waiting: VecDeque<Waiting<W>>,
    running: usize,
}

/// A write that waits. Dropped without an answer, it fails.
pub(super) struct Waiting<W: SharedWrite> {
    id: u64,
    pub(super) write: Arc<W>,
    pub(super) reply: oneshot::Sender<Reply<W::Outcome>>,
    pub(super) asker: Asker,
}

impl<W: SharedWrite> Default for Queue<W> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), running: 0 }
    }
}

impl<W: SharedWrite> Queue<W> {
    /// Adds a write with the highest number so far; returns where it gets its answer.
    pub(super) fn add(
        &mut self,
        id: u64,
        write: Arc<W>,
    ) -> Result<oneshot::Receiver<Reply<W::Outcome>>, QueueFull> {
        if self.waiting.len() >= MAX_WAITING {
            return Err(QueueFull);
        }
        let (reply, answer) = oneshot::channel();
        self.waiting.push_back(Waiting { id, write, reply, asker: Asker::here() });
        Ok(answer)
    }

    /// Removes a write that gave up; returns false if a batch has taken it.
    pub(super) fn forget(&mut self, id: u64) -> bool {
        let place = self.waiting.binary_search_by_key(&id, |waiting| waiting.id);
        place.is_ok_and(|place| self.waiting.remove(place).is_some())
    }

    /// The writes of the next batch.
    pub(super) fn take(&mut self) -> Vec<Waiting<W>> {
        let mut size = 0;
        let fitting = self.waiting.iter().take(MAX_BATCH).take_while(|waiting| {
            let goes = size < MAX_SIZE;
            size += waiting.write.size();
            goes
        });
        let fitting = fitting.count();
        self.waiting.drain(..fitting).collect()
    }

    /// All writes.
    pub(super) fn take_all(&mut self) -> Vec<Waiting<W>> {
        self.waiting.drain(..).collect()
    }

    /// Whether another run is to start because none is in progress, or because many writes wait. It is then counted.
    pub(super) fn starts_for_many(&mut self) -> bool {
        let starts = self.running == 0
            || (self.running < MAX_RUNNING && self.waiting.len() >= WORTH_ANOTHER);
        self.running += usize::from(starts);
        starts
    }

    /// The same because a write has waited for long.
    pub(super) fn starts_for_patient(&mut self) -> bool {
        let starts = self.running < MAX_RUNNING && !self.waiting.is_empty();
        self.running += usize::from(starts);
        starts
    }

    /// Whether no write waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Ends a run; returns whether it was the last one.
    pub(super) const fn end_run(&mut self) -> bool {
        self.running -= 1;
        self.running == 0
    }
}
