//! Batches the concurrent creates of a company.
//!
//! While a batch of a company is written, its further creates wait for the next batch, which takes all of them: they
//! share its statements and its commit. A create of a company without a batch in progress starts one at once, so a lone
//! create waits for no other. Each is answered after the commit of its own batch. When a batch fails before its commit,
//! each of its creates is repeated in a transaction of its own, so that one cannot fail the others.

mod place;
mod queue;
mod run;
mod together;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contact_hub_domain::contacts::CreateContactOutcome;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use self::place::Place;
use self::queue::Queue;
use self::run::Run;
use super::create_many::Creation;
use crate::Storage;
use crate::dispatch_error::DispatchError;

/// The creates that wait, by company. A company has an entry while a run of it is in progress.
#[derive(Default)]
pub(crate) struct CreateBatches {
    queues: Mutex<HashMap<CompanyId, Queue>>,
    /// The number of the last create. It never restarts, since a place outlives the queue that it was in.
    last_id: AtomicU64,
}

/// The answer to a create.
pub(super) enum Reply {
    Done(CreateContactOutcome),
    Failed(StoreError),
    /// Its batch failed and wrote nothing; the create must be repeated by itself.
    Alone,
}

impl CreateBatches {
    /// Queues a create, and starts a run if none is in progress or many creates wait.
    pub(super) fn join<'a>(
        &'a self,
        storage: &'a Storage,
        company: CompanyId,
        creation: Arc<Creation>,
    ) -> Result<Place<'a>, DispatchError> {
        let (id, answer, starts) = {
            let mut queues = self.queues();
            let queue = queues.entry(company).or_default();
            let id = self.last_id.fetch_add(1, Ordering::Relaxed);
            let answer = queue.add(id, creation)?;
            (id, answer, queue.starts_for_many())
        };
        if starts {
            Run::start(storage, company);
        }
        Ok(Place { batches: self, storage, company, id, answer })
    }

    /// Starts another run for creates that have waited for long, unless there are several.
    fn start_another(&self, storage: &Storage, company: CompanyId) {
        let starts = self.queues().get_mut(&company).is_some_and(Queue::starts_for_patient);
        if starts {
            Run::start(storage, company);
        }
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<CompanyId, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
