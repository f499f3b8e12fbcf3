//! The change feed.
//!
//! Entries have positions in the order in which they become visible. On SQLite transactions are serial, and the next
//! position follows the last. On PostgreSQL a position is the id of the transaction, which it has before its commit, or of
//! its subtransaction: an entry is returned only when every transaction with a smaller id has ended. So writers do not wait for each other.

mod append;
mod following;
mod list;
mod object;
mod position;
mod purge;
mod restored;
mod rows;
mod settled;
mod store;
mod watch;

pub(crate) use append::{Published, append_closed, insertion};
pub(crate) use following::{end, last_position, next_of_types};
pub(crate) use object::{forget, of_object};
pub(crate) use position::{Horizon, raise_base, take_later_position, transaction_position};
pub(crate) use purge::delete_old;
pub use restored::{expire_cursors, expire_cursors_of_copy};
pub(crate) use watch::ChangeWatch;
