//! The creates of one company that wait for a batch.

use std::collections::VecDeque;
use std::sync::Arc;

use contact_hub_domain::fields::FieldValue;
use contact_hub_traces::Asker;
use tokio::sync::oneshot;

use super::super::create_many::Creation;
use super::Reply;
use crate::permits::QueueFull;

/// The most runs of a company at once.
const MAX_RUNNING: usize = 4;

/// How many creates must wait before another run starts. Fewer are answered sooner by the next batch.
const WORTH_ANOTHER: usize = 32;

/// The most creates of a batch, and the size from which it takes no more.
const MAX_BATCH: usize = 128;
const MAX_SIZE: usize = 1 << 20;

/// What a create and each value in it add to its size.
const OVERHEAD: usize = 64;

/// The most creates of a company that wait.
const MAX_WAITING: usize = 1_000;

#[derive(Default)]
pub(super) struct Queue {
    /// In the order of their arrival and of their numbers.
    waiting: VecDeque<Waiting>,
    running: usize,
}

/// A create that waits. Dropped without an answer, it fails.
pub(super) struct Waiting {
    id: u64,
    pub(super) creation: Arc<Creation>,
    pub(super) reply: oneshot::Sender<Reply>,
    pub(super) asker: Asker,
}

impl Queue {
    /// Adds a create with the highest number so far; returns where it gets its answer.
    pub(super) fn add(
        &mut self,
        id: u64,
        creation: Arc<Creation>,
    ) -> Result<oneshot::Receiver<Reply>, QueueFull> {
        if self.waiting.len() >= MAX_WAITING {
            return Err(QueueFull);
        }
        let (reply, answer) = oneshot::channel();
        self.waiting.push_back(Waiting { id, creation, reply, asker: Asker::here() });
        Ok(answer)
    }

    /// Removes a create that gave up; returns false if a batch has taken it.
    pub(super) fn forget(&mut self, id: u64) -> bool {
        let place = self.waiting.binary_search_by_key(&id, |waiting| waiting.id);
        place.is_ok_and(|place| self.waiting.remove(place).is_some())
    }

    /// The creates of the next batch.
    pub(super) fn take(&mut self) -> Vec<Waiting> {
        let mut size = 0;
        let fitting = self.waiting.iter().take(MAX_BATCH).take_while(|waiting| {
            let goes = size < MAX_SIZE;
            size += size_of(&waiting.creation);
            goes
        });
        let fitting = fitting.count();
        self.waiting.drain(..fitting).collect()
    }

    /// All creates.
    pub(super) fn take_all(&mut self) -> Vec<Waiting> {
        self.waiting.drain(..).collect()
    }

    /// Whether another run is to start because none is in progress, or because many creates wait. It is then counted.
    pub(super) fn starts_for_many(&mut self) -> bool {
        let starts = self.running == 0
            || (self.running < MAX_RUNNING && self.waiting.len() >= WORTH_ANOTHER);
        self.running += usize::from(starts);
        starts
    }

    /// The same because a create has waited for long.
    pub(super) fn starts_for_patient(&mut self) -> bool {
        let starts = self.running < MAX_RUNNING && !self.waiting.is_empty();
        self.running += usize::from(starts);
        starts
    }

    /// Whether no create waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Ends a run; returns whether it was the last one.
    pub(super) const fn end_run(&mut self) -> bool {
        self.running -= 1;
        self.running == 0
    }
}

fn size_of(creation: &Creation) -> usize {
    let sizes = creation.new.input.values.iter().map(|(key, value)| {
        let text = match value {
            Some(FieldValue::String(text)) => text.len(),
            Some(FieldValue::Number(number)) => number.as_str().len(),
            _ => 0,
        };
        OVERHEAD + key.as_str().len() + text
    });
    OVERHEAD + sizes.sum::<usize>()
}
