//! Reads that are asked for at the same time, answered together.
//!
//! While one batch is on its way to the database, whoever asks next waits for the following one, which takes all that
//! have come by then. An idle service answers each question alone and at once; a busy one needs fewer round trips and
//! fewer changes of thread. A batch starts after its questions were asked, so each answer is as new as one of its own.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use contact_hub_domain::ports::StoreError;

/// The most batches on their way at once.
const MAX_RUNNING: usize = 4;

/// How many questions wait before another batch is sent while one is on its way. Fewer are sooner answered together.
const WORTH_ANOTHER: usize = 32;

/// The most questions of one batch.
const MAX_BATCH: usize = 256;

/// Answers many questions by what it may read with; a question without an entry has no answer.
pub(crate) type Answer<R, Q, A> = fn(&R, &[Q]) -> Result<HashMap<Q, A>, StoreError>;

/// Questions of one kind. `R` is what they are answered with, such as a connection.
pub(crate) struct Together<R, Q, A> {
    answer: Answer<R, Q, A>,
    state: Mutex<State<Q, A>>,
}

struct State<Q, A> {
    waiting: Vec<Waiting<Q, A>>,
    running: usize,
}

struct Waiting<Q, A> {
    question: Q,
    told: oneshot::Sender<Result<Option<A>, StoreError>>,
}

impl<R, Q, A> Together<R, Q, A>
where
    R: 'static,
    Q: Copy + Eq + Hash + Send + Sync + 'static,
    A: Clone + Send + 'static,
{
    pub(crate) fn new(answer: Answer<R, Q, A>) -> Self {
        Self { answer, state: Mutex::new(State { waiting: Vec::new(), running: 0 }) }
    }

    /// The answer to one question, if it has one. `start` gives a run what it may read with, on a thread that may block.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        question: Q,
        start: impl FnOnce(Box<dyn FnOnce(Result<R, StoreError>) + Send>),
    ) -> Result<Option<A>, StoreError> {
        let (told, answer) = oneshot::channel();
        if self.join(Waiting { question, told }) {
            let together = Arc::clone(self);
            start(Box::new(move |reader| together.run(reader)));
        }
        answer.await.map_err(|gone| StoreError::Failed(Box::new(gone)))?
    }

    /// Queues a question; true when it needs a batch to be started.
    fn join(&self, waiting: Waiting<Q, A>) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting.push(waiting);
        let starts = state.running == 0
            || (state.running < MAX_RUNNING && state.waiting.len() >= WORTH_ANOTHER);
        state.running += usize::from(starts);
        starts
    }

    /// The next batch; when there is none, this run is over. A run on a busy service keeps its turn: it is the one through
    /// which all contacts are read.
    fn next(&self) -> Option<Vec<Waiting<Q, A>>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.waiting.is_empty() {
            state.running -= 1;
            return None;
        }
        let batch = state.waiting.len().min(MAX_BATCH);
        Some(state.waiting.drain(..batch).collect())
    }

    fn run(&self, reader: Result<R, StoreError>) {
        let reader = reader.map_err(Arc::new);
        while let Some(batch) = self.next() {
            match &reader {
                Ok(reader) => self.answer(reader, batch),
                Err(error) => tell(batch, Err(shared(error))),
            }
            // Whoever has just been answered may have the next question: on busy processors they ask it now, and the next
            // batch is larger; on others this returns at once.
            std::thread::yield_now();
        }
    }

    fn answer(&self, reader: &R, batch: Vec<Waiting<Q, A>>) {
        match self.read(reader, &batch) {
            // What is wrong with one row is nothing to those who asked for others.
            Err(StoreError::Corrupt(_)) if batch.len() > 1 => {
                for waiting in batch {
                    let alone = vec![waiting];
                    let answers = self.read(reader, &alone);
                    tell(alone, answers);
                }
            }
            answers => tell(batch, answers),
        }
    }

    fn read(&self, reader: &R, batch: &[Waiting<Q, A>]) -> Result<HashMap<Q, A>, StoreError> {
        let questions: Vec<Q> = batch.iter().map(|waiting| waiting.question).collect();
        (self.answer)(reader, &questions)
    }
}

fn tell<Q: Copy + Eq + Hash, A: Clone>(
    batch: Vec<Waiting<Q, A>>,
    answers: Result<HashMap<Q, A>, StoreError>,
) {
    // Whoever no longer waits needs no answer.
    match answers {
        Ok(answers) => {
            for waiting in batch {
                waiting.told.send(Ok(answers.get(&waiting.question).cloned())).ok();
            }
        }
        Err(error) => {
            let error = Arc::new(error);
            for waiting in batch {
                waiting.told.send(Err(shared(&error))).ok();
            }
        }
    }
}

/// One error for each of those whom it concerns.
fn shared(error: &Arc<StoreError>) -> StoreError {
    match &**error {
        StoreError::Unavailable(_) => StoreError::Unavailable(Box::new(Arc::clone(error))),
        StoreError::Corrupt(what) => StoreError::Corrupt(what.clone()),
        StoreError::Failed(_) => StoreError::Failed(Box::new(Arc::clone(error))),
    }
}
