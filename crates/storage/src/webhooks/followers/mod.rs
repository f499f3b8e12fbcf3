//! Webhooks that follow the change feed, each with a cursor for every kind of event that it gets.
//!
//! Nothing is added to the transactions of changes. A cursor begins at the end of the feed in the transaction that
//! subscribes. Its next event is made in a transaction that locks it, by any instance, once the first attempt at its last
//! event has ended: so the events of a cursor are received in order unless one of them waits for a retry. When a
//! webhook is switched off or unsubscribed, its cursor still passes the entries that were made before, and is then deleted,
//! unless the webhook was switched on again: then it goes on with the entries that are made since.

mod announce;
mod begin;
mod look;

pub(super) use announce::announce;
pub(super) use begin::{begin, end, end_others};
pub(super) use look::look;
