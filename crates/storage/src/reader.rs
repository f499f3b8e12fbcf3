//! A thread with one permit that answers batches of reads.

use std::hash::Hash;
use std::sync::Arc;

use tokio::time::Instant;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::connections::pool::{ConnectionPool, reading};
use crate::failure::Failure;
use crate::permits::{Permit, Share};
use crate::read_batcher::{AnswersBatches, ReadBatcher};
use crate::task::{Ending, Task};

/// The right to read on this thread, until it is dropped.
pub(crate) struct Reader {
    storage: Storage,
    pool: Arc<ConnectionPool>,
    task: Arc<Task>,
    began: Instant,
    _ending: Ending,
}

impl Reader {
    /// Runs work with a reader on a blocking thread: at once if a permit is free, else after waiting for one.
    fn start(
        storage: &Storage,
        pool: &Arc<ConnectionPool>,
        began: Instant,
        work: impl FnOnce(Result<Self, StoreError>) + Send + 'static,
    ) {
        let (storage, pool) = (storage.clone(), Arc::clone(pool));
        let dispatch = Arc::clone(storage.dispatch());
        if !dispatch.watchdog.is_silent()
            && let Some(permit) = pool.permits.take_at_once(Share::COMMON)
        {
            let start = move || work(Ok(Self::new(storage, pool, permit, began)));
            dispatch.runtime.spawn_blocking(start);
            return;
        }
        let runtime = dispatch.runtime.clone();
        runtime.spawn(async move {
            let permit = dispatch.permit(&pool, Share::COMMON).await.map_err(StoreError::from);
            dispatch.runtime.spawn_blocking(move || {
                work(permit.map(|permit| Self::new(storage, pool, permit, began)));
            });
        });
    }

    fn new(storage: Storage, pool: Arc<ConnectionPool>, permit: Permit, began: Instant) -> Self {
        let task = pool.task(permit);
        let ending = task.ending();
        Self { storage, pool, task, began, _ending: ending }
    }

    /// Runs a unit that only reads.
    pub(crate) fn read<T>(
        &self,
        unit: impl Fn(&Storage, &mut Connection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        let until = self.storage.dispatch().open_until(self.began);
        self.pool.run(&self.task, until, &|connection| reading(unit(&self.storage, connection)))
    }
}

impl AnswersBatches for Reader {
    fn task(&self) -> &Arc<Task> {
        &self.task
    }
}

impl Storage {
    /// Asks a question together with those that others ask at the same time, on a connection of a pool of the primary.
    pub(crate) async fn ask<Q, A>(
        &self,
        reads: &Arc<ReadBatcher<Reader, Q, A>>,
        pool: &Arc<ConnectionPool>,
        question: Q,
    ) -> Result<Option<A>, StoreError>
    where
        Q: Copy + Eq + Hash + Send + 'static,
        A: Clone + Send + 'static,
    {
        let began = Instant::now();
        let dispatch = self.dispatch();
        let mut asked = reads.ask(question, |run| {
            Reader::start(self, pool, began, |reader| run.read_with(reader));
        });
        let (limit, is_lost) = (dispatch.limit_of_batch(began), || reads.is_lost(asked.epoch));
        match dispatch.supervise(began, limit, is_lost, &mut asked.answer).await {
            Ok(answer) => answer.map_err(|gone| StoreError::Failed(Box::new(gone)))?,
            Err(error) => {
                reads.give_up(asked.epoch, error);
                Err(error.into())
            }
        }
    }
}
