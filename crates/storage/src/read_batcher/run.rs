//! A run: batches that one reader answers, one after the other.

use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

use contact_hub_domain::ports::StoreError;
use contact_hub_traces::Asker;

use super::reply::{Unanswered, Waiting, end_all};
use super::{AnswersBatches, GATHER, ReadBatcher, State};
use crate::shared_error::shared;
use crate::task::Task;

/// A run, which the batcher counts until it is dropped. When that is before its end, because it panicked or its thread
/// never began, the questions that wait for it fail, and the next question starts another run.
pub(crate) struct Run<R, Q, A> {
    batcher: Arc<ReadBatcher<R, Q, A>>,
    epoch: u64,
    task: Option<Arc<Task>>,
    has_ended: bool,
}

/// A bug caused a panic while a batch was answered.
#[derive(Debug, thiserror::Error)]
#[error("reading panicked")]
struct Panicked;

impl<R, Q, A> Run<R, Q, A> {
    pub(super) fn new(batcher: &Arc<ReadBatcher<R, Q, A>>, epoch: u64) -> Self {
        Self { batcher: Arc::clone(batcher), epoch, task: None, has_ended: false }
    }

    /// The next batch; `None` ends the run. On a busy service a run keeps its permit, since all reads of contacts
    /// pass through it.
    fn next(&mut self) -> Option<Vec<Waiting<Q, A>>> {
        let mut state = self.batcher.state();
        if state.epoch != self.epoch {
            return None;
        }
        if state.waiting.is_empty() {
            state.end(self.task.as_ref());
            self.has_ended = true;
            return None;
        }
        let batch = self.batcher.portion.of(state.waiting.len());
        Some(state.waiting.drain(..batch).collect())
    }
}

impl<R: AnswersBatches, Q: Copy + Eq + Hash, A: Clone> Run<R, Q, A> {
    /// Answers what waits, until nothing does.
    pub(crate) fn read_with(mut self, reader: Result<R, StoreError>) {
        let reader = reader.map_err(Arc::new);
        if let Ok(reader) = &reader {
            self.begin(reader.task());
        }
        while let Some(batch) = self.next() {
            let answered = batch.len();
            match &reader {
                Ok(reader) => self.answer(reader, batch),
                Err(error) => end_all(batch, Err(shared(error))),
            }
            self.gather(answered / 2);
        }
    }

    /// Waits a moment until this many questions wait.
    fn gather(&self, wanted: usize) {
        let mut state = self.batcher.state();
        if wanted < 2 || state.running > 1 {
            return;
        }
        state.wanted = wanted;
        let too_few = |state: &mut State<Q, A>| state.waiting.len() < wanted;
        let after = self.batcher.gathered.wait_timeout_while(state, GATHER, too_few);
        let (mut state, _timed_out) = after.unwrap_or_else(PoisonError::into_inner);
        state.wanted = usize::MAX;
    }

    fn begin(&mut self, task: &Arc<Task>) {
        let mut state = self.batcher.state();
        if state.epoch == self.epoch {
            state.tasks.push(Arc::clone(task));
        }
        self.task = Some(Arc::clone(task));
    }

    fn answer(&self, reader: &R, batch: Vec<Waiting<Q, A>>) {
        let is_alone = batch.len() == 1;
        let (rest, outcome) = self.read(reader, batch);
        match outcome {
            // One corrupt row must not fail the reads of other rows.
            Err(StoreError::Corrupt(_)) if !is_alone => {
                for waiting in rest {
                    let (alone, outcome) = self.read(reader, vec![waiting]);
                    end_all(alone, outcome);
                }
            }
            outcome => end_all(rest, outcome),
        }
    }

    /// Passes on the answers of a batch; returns the questions that were not answered, and why.
    fn read(
        &self,
        reader: &R,
        batch: Vec<Waiting<Q, A>>,
    ) -> (Vec<Waiting<Q, A>>, Result<(), StoreError>) {
        let _entered = Asker::enter_first(batch.iter().map(|waiting| &waiting.asker));
        let questions: Vec<Q> = batch.iter().map(|waiting| waiting.question).collect();
        let unanswered = Unanswered::new(batch);
        let read = || (self.batcher.answer)(reader, &questions, &unanswered);
        // A panic must not end the run, since other questions wait for it.
        let outcome = catch_unwind(AssertUnwindSafe(read))
            .unwrap_or_else(|_panic| Err(StoreError::Failed(Box::new(Panicked))));
        (unanswered.into_rest(), outcome)
    }
}

impl<R, Q, A> Drop for Run<R, Q, A> {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut state = self.batcher.state();
        if state.epoch != self.epoch {
            return;
        }
        state.end(self.task.as_ref());
        if state.running == 0 {
            state.waiting.clear();
        }
    }
}
