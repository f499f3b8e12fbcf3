//! Batches concurrent reads.
//!
//! While one batch is running, new questions wait for the following one, which takes all of them. An idle service
//! answers each question alone and at once; a busy one needs fewer round trips and fewer thread switches. A batch
//! starts after its questions were asked, so each answer is as fresh as that of a separate read.
//!
//! Callers that have just been answered often ask again at once. So after a batch of several questions a run waits a moment
//! for half as many: larger batches leave more of the processors to everything else.

mod reply;
mod run;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use contact_hub_domain::ports::StoreError;
use contact_hub_traces::Asker;

use self::reply::{Reply, Waiting, answer_all};
pub(crate) use self::run::Run;
use crate::dispatch_error::DispatchError;
use crate::task::Task;

/// The maximum number of batches in flight at once.
const MAX_RUNNING: usize = 4;

/// How many questions must wait before another batch starts while one is in flight. Fewer are answered sooner by the
/// next batch.
const WORTH_ANOTHER: usize = 32;

/// The maximum number of questions of one batch.
const MAX_BATCH: usize = 256;

/// How long a run waits for the questions of callers that have just been answered.
const GATHER: Duration = Duration::from_micros(100);

/// Answers a batch of questions with a reader; a question without an entry has no answer.
pub(crate) type Answer<R, Q, A> = fn(&R, &[Q]) -> Result<HashMap<Q, A>, StoreError>;

/// What batches read with, such as a connection.
pub(crate) trait AnswersBatches {
    /// The task that is abandoned with its run.
    fn task(&self) -> &Arc<Task>;
}

/// Batches questions of one kind.
pub(crate) struct ReadBatcher<R, Q, A> {
    answer: Answer<R, Q, A>,
    state: Mutex<State<Q, A>>,
    gathered: Condvar,
}

struct State<Q, A> {
    waiting: Vec<Waiting<Q, A>>,
    running: usize,
    /// How many questions must wait before the run that gathers them is woken.
    wanted: usize,
    /// The runs of this epoch that have a connection.
    tasks: Vec<Arc<Task>>,
    /// Rises when the current runs are abandoned.
    epoch: u64,
}

/// A question in flight.
pub(crate) struct Asked<A> {
    /// Its answer.
    pub(crate) answer: oneshot::Receiver<Reply<A>>,
    /// The epoch of the runs that answer it.
    pub(crate) epoch: u64,
}

impl<R, Q: Copy + Eq + Hash, A: Clone> ReadBatcher<R, Q, A> {
    pub(crate) fn new(answer: Answer<R, Q, A>) -> Self {
        let state = State {
            waiting: Vec::new(),
            running: 0,
            wanted: usize::MAX,
            tasks: Vec::new(),
            epoch: 0,
        };
        Self { answer, state: Mutex::new(state), gathered: Condvar::new() }
    }

    /// Asks one question. `start` starts a run on a thread that may block.
    pub(crate) fn ask(self: &Arc<Self>, question: Q, start: impl FnOnce(Run<R, Q, A>)) -> Asked<A> {
        let (reply, answer) = oneshot::channel();
        let (starts, epoch) = self.join(Waiting { question, reply, asker: Asker::here() });
        if starts {
            start(Run::new(self, epoch));
        }
        Asked { answer, epoch }
    }

    /// Queues a question; the first value is true when a run must be started.
    fn join(&self, waiting: Waiting<Q, A>) -> (bool, u64) {
        let mut state = self.state();
        state.waiting.push(waiting);
        let starts = state.running == 0
            || (state.running < MAX_RUNNING && state.waiting.len() >= WORTH_ANOTHER);
        state.running += usize::from(starts);
        if state.waiting.len() >= state.wanted {
            // Each further call would be a system call, although the run is awake.
            state.wanted = usize::MAX;
            self.gathered.notify_one();
        }
        (starts, state.epoch)
    }

    /// Whether a run of this epoch reads on a lost connection. After the first question has found that out, the epoch
    /// has ended for the others of its batch.
    pub(crate) fn is_lost(&self, epoch: u64) -> bool {
        let state = self.state();
        state.epoch != epoch || state.tasks.iter().any(|task| task.is_lost())
    }

    /// Abandons the runs of an epoch and fails their waiting questions. Their threads may stay busy for long.
    pub(crate) fn give_up(&self, epoch: u64, error: DispatchError) {
        let (tasks, waiting) = {
            let mut state = self.state();
            if state.epoch != epoch {
                return;
            }
            state.epoch += 1;
            state.running = 0;
            (std::mem::take(&mut state.tasks), std::mem::take(&mut state.waiting))
        };
        for task in tasks {
            task.abandon();
        }
        answer_all(waiting, Err(error.into()));
    }
}

impl<R, Q, A> ReadBatcher<R, Q, A> {
    fn state(&self) -> MutexGuard<'_, State<Q, A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q, A> State<Q, A> {
    /// Ends a run of the current epoch.
    fn end(&mut self, task: Option<&Arc<Task>>) {
        self.running -= 1;
        self.tasks.retain(|other| !task.is_some_and(|task| Arc::ptr_eq(task, other)));
    }
}
