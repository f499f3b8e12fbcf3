//! A thread with one permit that answers batches of reads.

use std::sync::Arc;

use tokio::time::Instant;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::connection_pool::reading;
use crate::failure::Failure;
use crate::permits::{Permit, Share};
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
    /// Runs work with a reader on a blocking thread: at once if a permit is free, else after waiting for one.
    pub(crate) fn start(
        storage: &Storage,
        began: Instant,
        work: impl FnOnce(Result<Self, StoreError>) + Send + 'static,
    ) {
        let storage = storage.clone();
        let dispatch = Arc::clone(storage.dispatch());
        if !dispatch.watchdog.is_silent()
            && let Some(permit) = storage.pools().readers.permits.take_at_once(Share::COMMON)
        {
            let start = move || work(Ok(Self::new(storage, permit, began)));
            dispatch.runtime.spawn_blocking(start);
            return;
        }
        let runtime = dispatch.runtime.clone();
        runtime.spawn(async move {
            let permit = dispatch.permit(&storage.pools().readers, Share::COMMON).await;
            dispatch.runtime.spawn_blocking(move || {
                work(permit.map(|permit| Self::new(storage, permit, began)).map_err(Into::into));
            });
        });
    }

    fn new(storage: Storage, permit: Permit, began: Instant) -> Self {
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
