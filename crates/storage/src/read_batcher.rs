//! Batches concurrent reads.
//!
//! While one batch is running, new questions wait for the following one, which takes all of them. An idle service
//! answers each question separately and at once; a busy one needs fewer round trips and thread switches. A batch
//! starts after its questions were asked, so each answer is as fresh as that of a separate read.

use std::collections::HashMap;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use contact_hub_domain::ports::StoreError;

use crate::dispatch::DispatchError;
use crate::task::Task;

/// The most batches in flight at once.
const MAX_RUNNING: usize = 4;

/// How many questions must wait before another batch starts while one is in flight. Fewer are answered
/// sooner by the batch that follows the running one.
const WORTH_ANOTHER: usize = 32;

/// The most questions of one batch.
const MAX_BATCH: usize = 256;

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
}

struct State<Q, A> {
    waiting: Vec<Waiting<Q, A>>,
    running: usize,
    /// The runs of this epoch that have a connection.
    tasks: Vec<Arc<Task>>,
    /// Rises when the current runs are abandoned.
    epoch: u64,
}

struct Waiting<Q, A> {
    question: Q,
    reply: oneshot::Sender<Result<Option<A>, StoreError>>,
}

/// A bug caused a panic while a batch was answered.
#[derive(Debug, thiserror::Error)]
#[error("reading panicked")]
struct Panicked;

/// A question in flight.
pub(crate) struct Asked<A> {
    /// Its answer.
    pub(crate) answer: oneshot::Receiver<Result<Option<A>, StoreError>>,
    /// The epoch of the runs that answer it.
    pub(crate) epoch: u64,
}

impl<R, Q, A> ReadBatcher<R, Q, A>
where
    R: AnswersBatches + 'static,
    Q: Copy + Eq + Hash + Send + Sync + 'static,
    A: Clone + Send + 'static,
{
    pub(crate) fn new(answer: Answer<R, Q, A>) -> Self {
        let state = State { waiting: Vec::new(), running: 0, tasks: Vec::new(), epoch: 0 };
        Self { answer, state: Mutex::new(state) }
    }

    /// Asks one question. `start` starts a run on a thread that may block.
    pub(crate) fn ask(
        self: &Arc<Self>,
        question: Q,
        start: impl FnOnce(Box<dyn FnOnce(Result<R, StoreError>) + Send>),
    ) -> Asked<A> {
        let (reply, answer) = oneshot::channel();
        let (starts, epoch) = self.join(Waiting { question, reply });
        if starts {
            let batcher = Arc::clone(self);
            start(Box::new(move |reader| batcher.run(epoch, reader)));
        }
        Asked { answer, epoch }
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

    fn state(&self) -> MutexGuard<'_, State<Q, A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a question; the first value is true when a run must be started.
    fn join(&self, waiting: Waiting<Q, A>) -> (bool, u64) {
        let mut state = self.state();
        state.waiting.push(waiting);
        let starts = state.running == 0
            || (state.running < MAX_RUNNING && state.waiting.len() >= WORTH_ANOTHER);
        state.running += usize::from(starts);
        (starts, state.epoch)
    }

    /// The next batch; `None` ends the run. On a busy service a run keeps its permit, since all reads of contacts
    /// pass through it.
    fn next(&self, epoch: u64, task: Option<&Arc<Task>>) -> Option<Vec<Waiting<Q, A>>> {
        let mut state = self.state();
        if state.epoch != epoch {
            return None;
        }
        if state.waiting.is_empty() {
            state.running -= 1;
            state.tasks.retain(|other| !task.is_some_and(|task| Arc::ptr_eq(task, other)));
            return None;
        }
        let batch = state.waiting.len().min(MAX_BATCH);
        Some(state.waiting.drain(..batch).collect())
    }

    fn run(&self, epoch: u64, reader: Result<R, StoreError>) {
        let reader = reader.map_err(Arc::new);
        let task = reader.as_ref().ok().map(AnswersBatches::task);
        if let Some(task) = task {
            let mut state = self.state();
            if state.epoch == epoch {
                state.tasks.push(Arc::clone(task));
            }
        }
        while let Some(batch) = self.next(epoch, task) {
            match &reader {
                Ok(reader) => self.answer(reader, batch),
                Err(error) => answer_all(batch, Err(shared(error))),
            }
            // A caller that has just been answered may have its next question. On busy processors it asks it now,
            // which makes the next batch larger; on idle ones this returns at once.
            std::thread::yield_now();
        }
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
        let questions: Vec<Q> = batch.iter().map(|waiting| waiting.question).collect();
        // A panic must not end the run, since other questions wait for it. Unwinding drops the reader.
        catch_unwind(AssertUnwindSafe(|| (self.answer)(reader, &questions)))
            .unwrap_or_else(|_panic| Err(StoreError::Failed(Box::new(Panicked))))
    }
}

fn answer_all<Q: Copy + Eq + Hash, A: Clone>(
    batch: Vec<Waiting<Q, A>>,
    answers: Result<HashMap<Q, A>, StoreError>,
) {
    // A caller that gave up has dropped its receiver.
    match answers {
        Ok(answers) => {
            for waiting in batch {
                waiting.reply.send(Ok(answers.get(&waiting.question).cloned())).ok();
            }
        }
        Err(error) => {
            let error = Arc::new(error);
            for waiting in batch {
                waiting.reply.send(Err(shared(&error))).ok();
            }
        }
    }
}

/// A copy of an error for each caller.
fn shared(error: &Arc<StoreError>) -> StoreError {
    match &**error {
        StoreError::Unavailable(_) => StoreError::Unavailable(Box::new(Arc::clone(error))),
        StoreError::Corrupt(what) => StoreError::Corrupt(what.clone()),
        StoreError::Failed(_) => StoreError::Failed(Box::new(Arc::clone(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permits::{Permits, Share};
    use crate::task::{Abandoned, Ending};

    struct Reader {
        task: Arc<Task>,
        _ending: Ending,
    }

    impl AnswersBatches for Reader {
        fn task(&self) -> &Arc<Task> {
            &self.task
        }
    }

    fn reader() -> Reader {
        let permit = Permits::new("test", 1, 1).take_at_once(Share::COMMON).expect("a permit");
        let task = Task::new(permit, &Abandoned::at_most(1, "test"));
        Reader { _ending: task.ending(), task }
    }

    type Numbers = ReadBatcher<Reader, u32, u32>;

    fn ask(batcher: &Arc<Numbers>, question: u32) -> Asked<u32> {
        batcher.ask(question, |work| {
            std::thread::spawn(move || work(Ok(reader())));
        })
    }

    fn doubled(questions: &[u32]) -> HashMap<u32, u32> {
        questions.iter().map(|question| (*question, question * 2)).collect()
    }

    #[tokio::test]
    async fn a_batch_that_panics_fails_and_the_next_is_answered() {
        let batcher: Arc<Numbers> = Arc::new(ReadBatcher::new(|_reader, questions| {
            assert!(!questions.contains(&13), "a mistake in the program");
            Ok(doubled(questions))
        }));
        for _again in 0..2 * MAX_RUNNING {
            let refused = ask(&batcher, 13).answer.await.expect("an answer");
            assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
        }
        let answer = ask(&batcher, 4).answer.await.expect("an answer");
        assert_eq!(answer.ok(), Some(Some(8)));
    }

    #[tokio::test]
    async fn runs_that_are_given_up_keep_nobody_from_being_answered() {
        static HELD: Mutex<Option<std::sync::mpsc::Receiver<()>>> = Mutex::new(None);
        let (release, held) = std::sync::mpsc::channel::<()>();
        *HELD.lock().unwrap() = Some(held);
        let batcher: Arc<Numbers> = Arc::new(ReadBatcher::new(|_reader, questions| {
            if questions.contains(&13) {
                // As long as the database is silent.
                let held = HELD.lock().unwrap().take();
                held.map(|held| held.recv());
            }
            Ok(doubled(questions))
        }));
        let stuck = ask(&batcher, 13);
        while HELD.lock().unwrap().is_some() {
            tokio::task::yield_now().await;
        }
        let waits = ask(&batcher, 4);
        batcher.give_up(stuck.epoch, DispatchError::Silent);
        let waits = waits.answer.await.expect("an answer");
        assert!(matches!(waits, Err(StoreError::Unavailable(_))), "{waits:?}");
        let answer = ask(&batcher, 4).answer.await.expect("an answer");
        assert_eq!(answer.ok(), Some(Some(8)));
        release.send(()).ok();
        assert_eq!(stuck.answer.await.expect("an answer").ok(), Some(Some(26)));
        while batcher.state().running > 0 {
            tokio::task::yield_now().await;
        }
        assert!(batcher.state().tasks.is_empty());
    }
}
