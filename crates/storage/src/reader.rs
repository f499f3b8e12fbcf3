//! A thread with one permit that answers batches of reads.

use std::sync::Arc;

use tokio::time::Instant;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::connection_pool::reading;
use crate::failure::Failure;
use crate::permits::Permit;
use crate::read_batcher::AnswersBatches;
use crate::task::{Ending, Task};

/// The right to read on this thread, until it is dropped.
pub(crate) struct Reader {
    storage: Storage,
    task: Arc<Task>,
    began: Instant,
    _ending: Ending,
}

impl Reader {
    pub(crate) fn new(storage: Storage, permit: Permit, began: Instant) -> Self {
        let task = storage.pools().readers.task(permit);
        let ending = task.ending();
        Self { storage, task, began, _ending: ending }
    }

    /// Runs a unit that only reads.
    pub(crate) fn read<T>(
        &self,
        unit: impl Fn(&Storage, &mut Connection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        let until = self.storage.dispatch().open_until(self.began);
        let pool = &self.storage.pools().readers;
        pool.run(&self.task, until, &|connection| reading(unit(&self.storage, connection)))
    }
}

impl AnswersBatches for Reader {
    fn task(&self) -> &Arc<Task> {
        &self.task
    }
}
