//! Batches the concurrent writes of a company.
//!
//! While a batch of a company is written, its further writes of the same kind wait for the next batch, which takes all of
//! them: they share its statements and its commit. A write of a company without a batch in progress starts one at once,
//! so a lone write waits for no other. Each is answered after the commit of its own batch. When a batch fails before its
//! commit, each of its writes is repeated in its own transaction, so that one cannot fail the others.

mod place;
mod queue;
mod run;
mod shared_write;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use self::place::Place;
use self::queue::Queue;
use self::run::Run;
pub(crate) use self::shared_write::{SharedWrite, Written};
use crate::Storage;
use crate::dispatch_error::DispatchError;

/// The writes of one kind that wait, by company. A company has an entry while a run of it is in progress.
pub(crate) struct WriteBatches<W: SharedWrite> {
    queues: Mutex<HashMap<CompanyId, Queue<W>>>,
    /// The number of the last write. It never restarts, since a place outlives the queue that it was in.
    last_id: AtomicU64,
}

/// The answer to a write.
pub(crate) enum Reply<T> {
    Done(T),
    Failed(StoreError),
    /// It needs its own transaction.
    Alone,
    /// Its batch failed with this error and wrote nothing: it must be repeated by itself, if it can be.
    Undone(StoreError),
}

/// Makes a write in a batch.
pub(crate) async fn write_in_batch<W: SharedWrite>(
    storage: &Storage,
    company: CompanyId,
    write: &Arc<W>,
) -> Result<Reply<W::Outcome>, StoreError> {
    let mut place = W::batches(storage).join(storage, company, Arc::clone(write))?;
    Ok(place.reply().await)
}

impl<W: SharedWrite> Default for WriteBatches<W> {
    fn default() -> Self {
        Self { queues: Mutex::default(), last_id: AtomicU64::new(0) }
    }
}

impl<W: SharedWrite> WriteBatches<W> {
    /// Queues a write, and starts a run if none is in progress or many writes wait.
    fn join<'a>(
        &'a self,
        storage: &'a Storage,
        company: CompanyId,
        write: Arc<W>,
    ) -> Result<Place<'a, W>, DispatchError> {
        let (id, answer, starts) = {
            let mut queues = self.queues();
            let queue = queues.entry(company).or_default();
            let id = self.last_id.fetch_add(1, Ordering::Relaxed);
            let until = Instant::now() + storage.dispatch().wait;
            let answer = queue.add(id, write, until)?;
            (id, answer, queue.starts_for_many())
        };
        if starts {
            Run::<W>::start(storage, company);
        }
        Ok(Place { batches: self, storage, company, id, answer })
    }

    /// Starts another run for writes that have waited for long, unless there are several.
    fn start_another(&self, storage: &Storage, company: CompanyId) {
        let starts = self.queues().get_mut(&company).is_some_and(Queue::starts_for_patient);
        if starts {
            Run::<W>::start(storage, company);
        }
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<CompanyId, Queue<W>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
