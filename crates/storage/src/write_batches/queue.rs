//! The writes of one company that wait for a batch.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use contact_hub_traces::Asker;
use tokio::sync::oneshot;

use super::{Reply, SharedWrite};
use crate::permits::QueueFull;

/// The maximum number of runs of a company at once.
const MAX_RUNNING: usize = 4;

/// How many writes must wait before another run starts. Fewer are answered sooner by the next batch.
const WORTH_ANOTHER: usize = 32;

/// The maximum number of writes of a batch, and the size in bytes from which it takes no more.
const MAX_BATCH: usize = 128;
const MAX_SIZE: usize = 1 << 20;

/// The maximum number of writes of a company that wait.
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
    /// Until when a batch may take it.
    until: Instant,
}

impl<W: SharedWrite> Default for Queue<W> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), running: 0 }
    }
}

impl<W: SharedWrite> Queue<W> {
    /// Adds a write with the highest number so far, which a batch may take until this moment; returns where it gets its
    /// answer.
    pub(super) fn add(
        &mut self,
        id: u64,
        write: Arc<W>,
        until: Instant,
    ) -> Result<oneshot::Receiver<Reply<W::Outcome>>, QueueFull> {
        if self.waiting.len() >= MAX_WAITING {
            return Err(QueueFull);
        }
        let (reply, answer) = oneshot::channel();
        self.waiting.push_back(Waiting { id, write, reply, asker: Asker::here(), until });
        Ok(answer)
    }

    /// Lets a write that a batch has put off wait again, in its place. Returns it if its time is over. If its client has
    /// disconnected, it is not executed.
    pub(super) fn put_back(&mut self, waiting: Waiting<W>) -> Option<Waiting<W>> {
        if waiting.reply.is_closed() {
            return None;
        }
        if waiting.until <= Instant::now() {
            return Some(waiting);
        }
        let place = self.waiting.partition_point(|other| other.id < waiting.id);
        self.waiting.insert(place, waiting);
        None
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

    /// Those that no batch may take any more: the first ones, since all have the same time.
    pub(super) fn take_expired(&mut self) -> Vec<Waiting<W>> {
        let now = Instant::now();
        let expired = self.waiting.partition_point(|waiting| waiting.until <= now);
        self.waiting.drain(..expired).collect()
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use contact_hub_domain::ids::CompanyId;

    use super::super::{WriteBatches, Written};
    use super::*;
    use crate::Storage;
    use crate::connection::Connection;
    use crate::failure::Failure;
    use crate::recorded::Recorded;

    /// A write that is never executed.
    struct Unmade;

    impl SharedWrite for Unmade {
        type Outcome = ();
        const LEAVES_WORK: bool = false;

        fn size(&self) -> usize {
            1
        }

        fn batches(_storage: &Storage) -> &WriteBatches<Self> {
            unreachable!("it is in no queue of a storage")
        }

        fn write_together(
            _storage: &Storage,
            _connection: &mut Connection,
            _company: CompanyId,
            _writes: &[Arc<Self>],
        ) -> Result<Recorded<Vec<Written<()>>>, Failure> {
            unreachable!("it is in no batch")
        }
    }

    fn ids(queue: &Queue<Unmade>) -> Vec<u64> {
        queue.waiting.iter().map(|waiting| waiting.id).collect()
    }

    #[test]
    fn writes_that_came_later_still_wait_when_the_first_ones_have_expired() {
        let mut queue = Queue::<Unmade>::default();
        let now = Instant::now();
        let later = now + Duration::from_mins(1);
        let answers: Vec<_> = [now, now, later]
            .into_iter()
            .zip(1_u64..)
            .map(|(until, id)| queue.add(id, Arc::new(Unmade), until).expect("few wait"))
            .collect();
        let expired: Vec<u64> = queue.take_expired().iter().map(|waiting| waiting.id).collect();
        assert_eq!(expired, [1, 2]);
        assert_eq!(ids(&queue), [3]);
        drop(answers);
    }

    #[test]
    fn a_postponed_write_keeps_its_place_until_it_times_out() {
        let mut queue = Queue::<Unmade>::default();
        let now = Instant::now();
        let soon = now + Duration::from_mins(1);
        let mut answers: Vec<_> = [soon, now, soon, soon]
            .into_iter()
            .zip(1_u64..)
            .map(|(until, id)| queue.add(id, Arc::new(Unmade), until).expect("few wait"))
            .collect();
        let taken = queue.take();
        let late = queue.add(5, Arc::new(Unmade), soon).expect("few wait");
        // The client of the fourth disconnects.
        drop(answers.pop());
        let expired: Vec<u64> = taken
            .into_iter()
            .rev()
            .filter_map(|waiting| queue.put_back(waiting))
            .map(|waiting| waiting.id)
            .collect();
        assert_eq!(expired, [2]);
        assert_eq!(ids(&queue), [1, 3, 5]);
        assert!(queue.forget(3) && !queue.forget(2));
        drop((answers, late));
    }
}
