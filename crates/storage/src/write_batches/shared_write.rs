//! A write that can share a transaction with others of its company.

use std::sync::Arc;

use contact_hub_domain::ids::CompanyId;

use super::WriteBatches;
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;

/// A write of a client that can share a transaction with others of its company.
pub(crate) trait SharedWrite: Send + Sync + Sized + 'static {
    /// What the client gets.
    type Outcome: Send + 'static;

    /// Whether it leaves work for later, some of which is done first when the company has too much.
    const LEAVES_WORK: bool;

    /// Roughly how many bytes it has.
    fn size(&self) -> usize;

    /// The writes of this kind that wait.
    fn batches(storage: &Storage) -> &WriteBatches<Self>;

    /// Makes the writes of one company in the order of their arrival, each as if it were alone. The outcomes have the
    /// same order.
    fn write_together(
        storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
        writes: &[Arc<Self>],
    ) -> Result<Recorded<Vec<Written<Self::Outcome>>>, Failure>;
}

/// The result of a write in a batch.
pub(crate) enum Written<T> {
    Done(T),
    /// Another batch must try it again.
    Later,
    /// It needs its own transaction.
    Alone,
}
