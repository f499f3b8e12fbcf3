//! The exchange between a call and the transaction that makes its write: the outcome goes to the call, and its answer
//! comes back.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use contact_hub_domain::idempotency::{KeptAnswer, KeyedCall};
use tokio::sync::oneshot;

use super::rows::{self, Entered};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::transaction::transaction_if;
use crate::two_phases::commit_in_two_phases;

/// How long a transaction waits for the answer, which only has to be rendered.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// The same for a transaction that other calls share.
const ANSWERS_WITHIN: Duration = Duration::from_millis(500);

/// The transaction's side of a handover. It outlives attempts of the transaction that end before the outcome is sent.
pub(crate) struct Handover<T> {
    call: KeyedCall,
    /// Where the outcome goes; `None` once it was sent.
    outcome: Mutex<Option<oneshot::Sender<T>>>,
    answer: Mutex<Receiver<KeptAnswer>>,
}

/// How the transaction of a call ended, unless it failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It is committed with the answer.
    Kept,
    /// Another call with this key was answered first.
    Repeated,
    /// Another call with this key is in progress.
    InUse,
    /// No answer came.
    Withdrawn,
}

impl<T> Handover<T> {
    /// A handover, where its outcome arrives, and where the answer goes.
    pub(super) fn new(call: KeyedCall) -> (Self, oneshot::Receiver<T>, SyncSender<KeptAnswer>) {
        let (outcome, arrives) = oneshot::channel();
        let (sender, answer) = sync_channel(1);
        let (outcome, answer) = (Mutex::new(Some(outcome)), Mutex::new(answer));
        (Self { call, outcome, answer }, arrives, sender)
    }

    /// Runs a unit in the transaction that was begun, and commits with the answer.
    pub(crate) fn run(
        &self,
        storage: &Storage,
        connection: &mut Connection,
        unit: impl Fn(&mut Connection) -> Result<T, Failure>,
    ) -> Result<Ended, Failure> {
        let is_kept = |ended: &Ended| *ended == Ended::Kept;
        transaction_if(connection, is_kept, |connection| {
            match rows::enter(storage, connection, &self.call)? {
                Entered::Free => {}
                Entered::Kept => return Ok(Ended::Repeated),
                Entered::InUse => return Ok(Ended::InUse),
            }
            let outcome = unit(connection)?;
            let sent = self.send(outcome);
            let answer = sent.then(|| self.answer(Instant::now() + ANSWER_WITHIN)).flatten();
            let Some(answer) = answer else { return Ok(Ended::Withdrawn) };
            commit_in_two_phases(storage, connection)?;
            let is_first = rows::insert(connection, &[(&self.call, answer)])?;
            Ok(if is_first { Ended::Kept } else { Ended::Repeated })
        })
    }

    /// Sends the outcome; returns false if it was sent before or nobody waits for it.
    fn send(&self, outcome: T) -> bool {
        let sender = lock(&self.outcome).take();
        sender.is_some_and(|sender| sender.send(outcome).is_ok())
    }

    fn answer(&self, until: Instant) -> Option<KeptAnswer> {
        let left = until.saturating_duration_since(Instant::now());
        lock(&self.answer).recv_timeout(left).ok()
    }

    /// Whether the outcome was not sent yet, and the call waits for it.
    pub(crate) fn is_awaited(&self) -> bool {
        lock(&self.outcome).as_ref().is_some_and(|sender| !sender.is_closed())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the locks of calls that share a transaction. Returns for each whether it may take part; the others need their
/// own transactions.
pub(crate) fn enter_together<T>(
    storage: &Storage,
    connection: &mut Connection,
    calls: &[&Handover<T>],
) -> Result<Vec<bool>, Failure> {
    let requests: Vec<_> = calls.iter().map(|handover| &handover.call).collect();
    let entered = rows::enter_together(storage, connection, &requests)?;
    let enters =
        |(call, entered): (&&Handover<T>, Entered)| entered == Entered::Free && call.is_awaited();
    Ok(calls.iter().zip(entered).map(enters).collect())
}

/// Hands over the outcomes of calls that share a transaction.
pub(crate) fn send_together<'a, T>(
    calls: impl Iterator<Item = (&'a Handover<T>, T)>,
) -> Result<Vec<&'a Handover<T>>, Failure> {
    let send = |(handover, outcome): (&'a Handover<T>, T)| {
        if handover.send(outcome) { Ok(handover) } else { Err(Failure::Withdrawn) }
    };
    calls.map(send).collect()
}

/// Inserts the answers of calls that were sent their outcomes.
pub(crate) fn keep_together<T>(
    connection: &mut Connection,
    sent: Vec<&Handover<T>>,
) -> Result<(), Failure> {
    if sent.is_empty() {
        return Ok(());
    }
    let until = Instant::now() + ANSWERS_WITHIN;
    // The call that was sent its outcome last answers about last. While it is awaited the other answers arrive, and this
    // thread is not woken for each.
    let answers = sent.into_iter().rev().map(|it| Some((&it.call, it.answer(until)?)));
    let answers = answers.collect::<Option<Vec<_>>>().ok_or(Failure::Withdrawn)?;
    if rows::insert(connection, &answers)? { Ok(()) } else { Err(Failure::Withdrawn) }
}
