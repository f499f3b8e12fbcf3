//! Reads on read replicas of a PostgreSQL.
//!
//! A read goes to a replica only if it sees everything there that any instance committed before the read began: the
//! primary reports its position in the write-ahead log, in one statement for all reads that wait, and the replica's
//! session has replayed the log up to it. So a client reads its own writes, and pages of one list may come from several
//! servers. Where a replica fails or is behind, the primary takes the call.
//!
//! [`position`] asks the primary, [`state`] compares a replica with it, [`choice`] chooses the replica that reads, and
//! [`monitor`] leaves replicas out and uses them again.

mod choice;
mod lag;
mod monitor;
mod options;
mod position;
mod reads;
mod replica;
mod rest;
mod state;

pub(crate) use self::choice::Replicas;
pub(crate) use self::monitor::watch_replicas;
pub use self::options::{MAX_REPLICAS, ReplicaOptions};
pub(crate) use self::position::{PositionReads, position_reads};
pub(crate) use self::reads::count_read;
