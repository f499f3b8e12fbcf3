//! The write of a call with a key, which stops before its commit until the call's answer is there.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use contact_hub_domain::idempotency::{KeptAnswer, KeyedCall};
use contact_hub_domain::ports::StoreError;

use super::handover::{Ended, Handover};
use super::in_progress::Place;
use crate::Storage;
use crate::connection::Connection;
use crate::dispatch::value::Value;
use crate::failure::Failure;
use crate::transaction::begin;
use crate::units::Writing;

/// A call in progress. The storage that is bound to it makes its write.
pub(crate) struct RunningCall {
    call: KeyedCall,
    /// Its place among the calls in progress, which the transaction keeps until its end.
    place: Weak<Place>,
    state: Mutex<State>,
    effects: Mutex<Vec<Effect>>,
    /// Whether the write changes nothing and only locks what it reads.
    only_locks: AtomicBool,
}

/// A write that leaves its value elsewhere.
type Unit = Box<dyn Fn(&mut Connection) -> Result<(), Failure> + Send>;

/// What happens once the write is committed.
type Effect = Box<dyn FnOnce() + Send>;

enum State {
    Unwritten,
    /// The write runs or has failed.
    Writing,
    Open(Open),
    /// Another call with this key was answered or is in progress.
    Overtaken,
    Over,
}

/// A transaction that waits for the answer. When this is dropped, it is rolled back.
pub(super) struct Open {
    answers: SyncSender<KeptAnswer>,
    ending: Ending,
}

/// The end of a write.
type Ending = Pin<Box<dyn Future<Output = Result<Ended, StoreError>> + Send>>;

/// The call does not follow the rules of a call with a key.
#[derive(Debug, thiserror::Error)]
enum NotOnce {
    #[error("a call with an idempotency key wrote twice, or read after its write")]
    NotOneWrite,
    #[error("another call with this key was answered or is in progress")]
    Overtaken,
    #[error(
        "the answer of a call with an idempotency key came too late, or too late for another call of its transaction"
    )]
    Late,
    #[error("the write of a call with an idempotency key ended without an outcome")]
    Lost,
}

impl RunningCall {
    pub(super) fn new(call: KeyedCall, place: &Arc<Place>) -> Arc<Self> {
        let (state, effects) = (Mutex::new(State::Unwritten), Mutex::default());
        let only_locks = AtomicBool::new(false);
        Arc::new(Self { call, place: Arc::downgrade(place), state, effects, only_locks })
    }

    /// The write of the call will change nothing, so it may read afterwards.
    pub(crate) fn only_locks(&self) {
        self.only_locks.store(true, Ordering::Relaxed);
    }

    /// Fails once the call has written: a read on another connection would not see it.
    pub(crate) fn check_reads(&self) -> Result<(), StoreError> {
        match *self.state() {
            State::Unwritten => Ok(()),
            State::Open(_) if self.only_locks.load(Ordering::Relaxed) => Ok(()),
            _ => Err(failed(NotOnce::NotOneWrite)),
        }
    }

    /// Runs this once the write is committed.
    pub(crate) fn once_committed(&self, effect: impl FnOnce() + Send + 'static) {
        self.effects().push(Box::new(effect));
    }

    /// Whether the write was rejected because of another call with this key.
    pub(super) fn is_overtaken(&self) -> bool {
        matches!(*self.state(), State::Overtaken)
    }

    /// Runs the one write of the call. Its transaction stays open until its answer is there.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        storage: &Storage,
        what: Writing,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (left, value) = Value::new();
        let unit =
            Box::new(move |connection: &mut Connection| unit(connection).map(|it| left.put(it)));
        self.write_without_value(storage, what, unit).await?;
        value.take()
    }

    async fn write_without_value(
        &self,
        storage: &Storage,
        what: Writing,
        unit: Unit,
    ) -> Result<(), StoreError> {
        let writer = storage.clone();
        self.run(move |handover| async move {
            let storage = writer.clone();
            let run = move |connection: &mut Connection| handover.run(&storage, connection, &unit);
            writer.write_until(what, begin, run).await
        })
        .await
    }

    /// Runs the one write of the call, which takes part in the handover.
    pub(crate) async fn run<T: Send + 'static, F>(
        &self,
        write: impl FnOnce(Arc<Handover<T>>) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<Ended, StoreError>> + Send + 'static,
    {
        let place = self.begin_write()?;
        let (handover, outcome, answers) = Handover::new(self.call.clone());
        let write = write(Arc::new(handover));
        let mut ending: Ending = Box::pin(async move {
            let ended = write.await;
            drop(place);
            ended
        });
        let outcome = tokio::select! {
            biased;
            outcome = outcome => outcome.ok(),
            ended = &mut ending => return Err(self.failure(ended)),
        };
        match outcome {
            Some(value) => {
                self.open(Open { answers, ending });
                Ok(value)
            }
            None => Err(self.failure(ending.await)),
        }
    }

    fn begin_write(&self) -> Result<Arc<Place>, StoreError> {
        let mut state = self.state();
        let place = self.place.upgrade().filter(|_| matches!(*state, State::Unwritten));
        let place = place.ok_or_else(|| failed(NotOnce::NotOneWrite))?;
        *state = State::Writing;
        Ok(place)
    }

    /// Stores the open transaction, unless the call was given up in the meantime; then the transaction is rolled back.
    fn open(&self, open: Open) {
        let mut state = self.state();
        if matches!(*state, State::Writing) {
            *state = State::Open(open);
        }
    }

    fn failure(&self, ended: Result<Ended, StoreError>) -> StoreError {
        match ended {
            Ok(Ended::InUse | Ended::Repeated) => {
                *self.state() = State::Overtaken;
                StoreError::Unavailable(Box::new(NotOnce::Overtaken))
            }
            Err(error) => {
                let mut state = self.state();
                // Nothing was written, and the use case looks the emails up before it writes again.
                if Failure::is_blocked(&error) && matches!(*state, State::Writing) {
                    *state = State::Unwritten;
                }
                error
            }
            Ok(_) => failed(NotOnce::Lost),
        }
    }

    /// Ends the call. Returns its open transaction; `None` if it has written nothing.
    pub(super) fn close(&self) -> Result<Option<Open>, StoreError> {
        match std::mem::replace(&mut *self.state(), State::Over) {
            State::Unwritten => Ok(None),
            State::Open(open) => Ok(Some(open)),
            State::Writing | State::Overtaken | State::Over => Err(failed(NotOnce::Lost)),
        }
    }

    /// Has the answer stored and the transaction committed. Returns false if another call with the key was answered first.
    pub(super) async fn end(&self, open: Open, answer: KeptAnswer) -> Result<bool, StoreError> {
        // When the transaction is over already, `ending` says why.
        open.answers.send(answer).ok();
        let ended = open.ending.await;
        self.do_effects();
        match ended? {
            Ended::Kept => Ok(true),
            Ended::Repeated | Ended::InUse => Ok(false),
            Ended::Withdrawn => Err(StoreError::Unavailable(Box::new(NotOnce::Late))),
        }
    }

    fn do_effects(&self) {
        let effects = std::mem::take(&mut *self.effects());
        for effect in effects {
            effect();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn effects(&self) -> MutexGuard<'_, Vec<Effect>> {
        self.effects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(error: NotOnce) -> StoreError {
    StoreError::Failed(Box::new(error))
}
