//! A run: the batches of a company, one after the other.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use contact_hub_traces::{Asker, Entered};

use super::queue::{Queue, Waiting};
use super::{Reply, SharedWrite, Written};
use crate::Storage;
use crate::connection::Connection;
use crate::dispatch_error::DispatchError;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::shared_error::shared;
use crate::units::Writing;

/// A run, which its queue counts until it is dropped. When that is before its end, the writes that wait fail.
pub(super) struct Run<W: SharedWrite> {
    storage: Storage,
    company: CompanyId,
    has_ended: bool,
    of: PhantomData<W>,
}

impl<W: SharedWrite> Run<W> {
    /// Starts a run that the queue has counted.
    pub(super) fn start(storage: &Storage, company: CompanyId) {
        let run =
            Self { storage: storage.clone(), company, has_ended: false, of: PhantomData::<W> };
        storage.dispatch().runtime.spawn(run.write_batches());
    }

    async fn write_batches(mut self) {
        while self.goes_on() {
            self.write().await;
            // A client that has just been answered may have its next write. On busy processors it is queued now,
            // which makes the next batch larger.
            tokio::task::yield_now().await;
        }
    }

    /// Ends the run when no write waits.
    fn goes_on(&mut self) -> bool {
        let mut queues = W::batches(&self.storage).queues();
        let waits = queues.get(&self.company).is_some_and(|queue| !queue.is_empty());
        if !waits {
            self.has_ended = true;
            if queues.get_mut(&self.company).is_some_and(Queue::end_run) {
                queues.remove(&self.company);
            }
        }
        waits
    }

    /// Writes a batch: the writes that wait when its transaction begins.
    async fn write(&self) {
        let batch = Arc::new(Batch::new());
        let unit = {
            let (storage, company, batch) =
                (self.storage.clone(), self.company, Arc::clone(&batch));
            move |connection: &mut Connection| batch.write(&storage, connection, company)
        };
        let shared = Writing::Shared(self.company);
        let written = if W::LEAVES_WORK {
            self.storage.write_deferring(self.company, shared, unit).await
        } else {
            self.storage.write(shared, unit).await
        };
        let taken = batch.close();
        match written {
            Ok(written) => self.answer(taken, written),
            Err(error) => self.fail(taken, error, batch.is_undone.load(Ordering::Acquire)),
        }
    }

    /// Answers the writes, but for those that another batch must try again, which wait for it. A client that
    /// disconnected has dropped its receiver.
    fn answer(&self, taken: Vec<Waiting<W>>, written: Vec<Written<W::Outcome>>) {
        let mut later = Vec::new();
        for (waiting, written) in taken.into_iter().zip(written) {
            match written {
                Written::Done(outcome) => drop(waiting.reply.send(Reply::Done(outcome))),
                Written::Alone => drop(waiting.reply.send(Reply::Alone)),
                Written::Later => later.push(waiting),
            }
        }
        let mut queues = W::batches(&self.storage).queues();
        let Some(queue) = queues.get_mut(&self.company) else { return };
        for expired in later.into_iter().filter_map(|waiting| queue.put_back(waiting)) {
            expired.reply.send(Reply::Failed(DispatchError::Busy.into())).ok();
        }
    }

    /// A batch that could not begin fails the writes that wait, since another one could not begin either. If it only got no
    /// connection in its time, those that came later still have some.
    fn fail(&self, taken: Vec<Waiting<W>>, error: StoreError, is_undone: bool) {
        let nothing_began = taken.is_empty();
        let failed = match DispatchError::of(&error) {
            _ if !nothing_began => taken,
            Some(DispatchError::Busy) => self.take_waiting(Queue::take_expired),
            _ => self.take_waiting(Queue::take_all),
        };
        let error = Arc::new(error);
        for waiting in failed {
            let alone = is_undone && !nothing_began;
            waiting
                .reply
                .send(if alone {
                    Reply::Undone(shared(&error))
                } else {
                    Reply::Failed(shared(&error))
                })
                .ok();
        }
    }

    fn take_waiting(&self, take: fn(&mut Queue<W>) -> Vec<Waiting<W>>) -> Vec<Waiting<W>> {
        let mut queues = W::batches(&self.storage).queues();
        queues.get_mut(&self.company).map(take).unwrap_or_default()
    }
}

impl<W: SharedWrite> Drop for Run<W> {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut queues = W::batches(&self.storage).queues();
        if queues.get_mut(&self.company).is_some_and(Queue::end_run) {
            queues.remove(&self.company);
        }
    }
}

/// The writes of one transaction.
struct Batch<W: SharedWrite> {
    /// `None` when the batch is over; a transaction that begins only then has nothing to write.
    taken: Mutex<Option<Vec<Waiting<W>>>>,
    /// Whether the transaction failed before its commit.
    is_undone: AtomicBool,
}

impl<W: SharedWrite> Batch<W> {
    fn new() -> Self {
        Self { taken: Mutex::new(Some(Vec::new())), is_undone: AtomicBool::new(false) }
    }

    fn write(
        &self,
        storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
    ) -> Result<Recorded<Vec<Written<W::Outcome>>>, Failure> {
        // Before it looks what to write: once the batch is closed, the flag is that of the last attempt that wrote.
        let undone = Undone::unless_written(&self.is_undone);
        let writes = self.writes(storage, company);
        let _entered = self.enter();
        let written = W::write_together(storage, connection, company, &writes)?;
        undone.forget();
        Ok(written)
    }

    /// The writes of the batch, which are decided when its transaction begins and stay the same when that is retried.
    fn writes(&self, storage: &Storage, company: CompanyId) -> Vec<Arc<W>> {
        let mut taken = self.taken();
        let Some(taken) = taken.as_mut() else { return Vec::new() };
        if taken.is_empty() {
            let mut queues = W::batches(storage).queues();
            *taken = queues.get_mut(&company).map(Queue::take).unwrap_or_default();
        }
        taken.iter().map(|waiting| Arc::clone(&waiting.write)).collect()
    }

    fn enter(&self) -> Option<Entered> {
        let taken = self.taken();
        Asker::enter_first(taken.iter().flatten().map(|waiting| &waiting.asker))
    }

    fn close(&self) -> Vec<Waiting<W>> {
        self.taken().take().unwrap_or_default()
    }

    fn taken(&self) -> MutexGuard<'_, Option<Vec<Waiting<W>>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes that a transaction was not committed, even if it panics.
struct Undone<'a>(&'a AtomicBool);

impl<'a> Undone<'a> {
    fn unless_written(flag: &'a AtomicBool) -> Self {
        flag.store(false, Ordering::Release);
        Self(flag)
    }

    /// Called right before the commit.
    const fn forget(self) {
        std::mem::forget(self);
    }
}

impl Drop for Undone<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}
