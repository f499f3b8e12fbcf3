//! Webhooks that follow the change feed, each with a cursor for every kind of event that it gets.
//!
//! Nothing is added to the transactions of changes. A cursor begins at the end of the feed in the transaction that
//! subscribes. Its next event is made in a transaction that locks it, by any instance, once the first attempt at its last
//! event has ended: so the events of a cursor are received in order unless one of them waits for a retry. While a webhook
//! is off it has no cursors.

mod announce;
mod begin;
mod look;

pub(super) use announce::announce;
pub(super) use begin::{begin, end, end_others};
pub(super) use look::look;
