//! Batches concurrent reads.
//!
//! While one batch is running, new questions wait for the following ones. An idle service answers each question alone and at
//! once; a busy one needs fewer round trips and fewer thread switches. A batch starts after its questions were asked, so each
//! answer is as fresh as that of a separate read. An answer is passed on as soon as it is decoded, so that its caller continues
//! while the next one is decoded.
//!
//! Callers that have just been answered often ask again at once. So after a batch of several questions a run waits a moment
//! until half as many wait: larger batches leave more of the processors to everything else.

mod reply;
mod run;
#[cfg(test)]
mod tests;

use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use contact_hub_domain::ports::StoreError;
use contact_hub_traces::Asker;

pub(crate) use self::reply::Unanswered;
use self::reply::{Reply, Waiting, end_all};
pub(crate) use self::run::Run;
use crate::dispatch_error::DispatchError;
use crate::task::Task;

/// The maximum number of batches in flight at once.
const MAX_RUNNING: usize = 4;

/// How large the next batch must be before it starts while another one is in flight. A smaller one is answered sooner after
/// that one.
const WORTH_ANOTHER: usize = 32;

/// The maximum number of questions of one batch.
const MAX_BATCH: usize = 256;

/// Half of the questions that wait, but at least this many, make a batch.
const MIN_HALF: usize = 8;

/// How long a run waits for the questions of callers that have just been answered.
const GATHER: Duration = Duration::from_micros(100);

/// Reads the answers to a batch of questions with a reader, and passes each on at once; a question that is left has no answer.
pub(crate) type Answer<R, Q, A> = fn(&R, &[Q], &Unanswered<Q, A>) -> Result<(), StoreError>;

/// How many of the questions that wait a batch takes.
#[derive(Clone, Copy)]
pub(crate) enum Portion {
    /// All of them, since one answer is for all.
    All,
    /// Half of many. If a batch took all of them, no caller could be served while it is read; so the callers of one half
    /// are served while the database reads the other half.
    Half,
}

impl Portion {
    fn of(self, waiting: usize) -> usize {
        let portion = match self {
            Self::All => waiting,
            Self::Half => waiting.div_ceil(2).max(MIN_HALF),
        };
        portion.min(waiting).min(MAX_BATCH)
    }
}

/// What batches read with, such as a connection.
pub(crate) trait AnswersBatches {
    /// The task that is abandoned with its run.
    fn task(&self) -> &Arc<Task>;
}

/// Batches questions of one kind.
pub(crate) struct ReadBatcher<R, Q, A> {
    answer: Answer<R, Q, A>,
    portion: Portion,
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
    pub(crate) fn new(portion: Portion, answer: Answer<R, Q, A>) -> Self {
        let state = State {
            waiting: Vec::new(),
            running: 0,
            wanted: usize::MAX,
            tasks: Vec::new(),
            epoch: 0,
        };
        Self { answer, portion, state: Mutex::new(state), gathered: Condvar::new() }
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
            || (state.running < MAX_RUNNING
                && self.portion.of(state.waiting.len()) >= WORTH_ANOTHER);
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
        end_all(waiting, Err(error.into()));
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
