//! The answers of calls with an idempotency key.
//!
//! The write of such a call stops before its commit (`handover.rs`): its outcome goes to the use case, and the answer
//! that is made from it comes back and is inserted in the same transaction. A call that writes nothing inserts its
//! answer in its own transaction. The primary key decides between calls with one key; the table of calls in progress,
//! and on PostgreSQL an advisory lock, only let the later ones fail at once.

mod bind;
mod deletion;
mod handover;
mod in_progress;
mod large;
mod mentions;
mod naming;
mod rows;
mod running;
mod store;

pub(crate) use deletion::{delete_answers_of, delete_old_answers};
pub(crate) use handover::{Ended, Handover, enter_together, keep_together, send_together};
pub(crate) use in_progress::CallsInProgress;
pub(crate) use mentions::Names;
pub(crate) use naming::{Naming, forget_naming, naming};
pub(crate) use rows::{reseal_answer, sealed_answers};
pub(crate) use running::RunningCall;
