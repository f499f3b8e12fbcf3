//! A thread that answers one batch of reads after the other, with one turn.

use std::sync::Arc;

use tokio::time::Instant;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::lane::reading;
use crate::task::{Ending, Task};
use crate::together::AnswersBatches;
use crate::turns::Turn;

/// The right to read on this thread, for as long as it is kept.
pub(crate) struct Reader {
    storage: Storage,
    task: Arc<Task>,
    began: Instant,
    _ending: Ending,
}

impl Reader {
    pub(crate) fn new(storage: Storage, turn: Turn, began: Instant) -> Self {
        let task = storage.lanes().readers.task(turn);
        let ending = task.ending();
        Self { storage, task, began, _ending: ending }
    }

    /// Runs a unit that only reads.
    pub(crate) fn read<T>(
        &self,
        unit: impl Fn(&Storage, &mut Connection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        let until = self.storage.dispatch().open_until(self.began);
        let lane = &self.storage.lanes().readers;
        lane.run(&self.task, until, &|connection| reading(unit(&self.storage, connection)))
    }
}

impl AnswersBatches for Reader {
    fn task(&self) -> &Arc<Task> {
        &self.task
    }
}
