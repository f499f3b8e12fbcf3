//! A run: batches that one reader answers, one after the other.

use std::collections::HashMap;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

use contact_hub_domain::ports::StoreError;
use contact_hub_traces::Asker;

use super::reply::{Waiting, answer_all};
use super::{AnswersBatches, GATHER, MAX_BATCH, ReadBatcher, State};
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
        let batch = state.waiting.len().min(MAX_BATCH);
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
                Err(error) => answer_all(batch, Err(shared(error))),
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
        match self.read(reader, &batch) {
            // One corrupt row must not fail the reads of other rows.
            Err(StoreError::Corrupt(_)) if batch.len() > 1 => {
                for waiting in batch {
                    let alone = vec![waiting];
                    let answers = self.read(reader, &alone);
                    answer_all(alone, answers);
                }
            }
            answers => answer_all(batch, answers),
        }
    }

    fn read(&self, reader: &R, batch: &[Waiting<Q, A>]) -> Result<HashMap<Q, A>, StoreError> {
        let _entered = Asker::enter_first(batch.iter().map(|waiting| &waiting.asker));
        let questions: Vec<Q> = batch.iter().map(|waiting| waiting.question).collect();
        // A panic must not end the run, since other questions wait for it.
        catch_unwind(AssertUnwindSafe(|| (self.batcher.answer)(reader, &questions)))
            .unwrap_or_else(|_panic| Err(StoreError::Failed(Box::new(Panicked))))
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
