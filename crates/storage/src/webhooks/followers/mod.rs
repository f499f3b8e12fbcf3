//! Webhooks that follow the change feed, each with a cursor for every kind of event that it gets.
//!
//! Nothing is added to the transactions of changes. A cursor begins at the end of the feed in the transaction that
//! subscribes. Its next event is made in a transaction that locks it, by any instance, once the first attempt at its last
//! event has ended: so the events of a cursor are received in order unless one of them waits for a retry. The deliveries
//! of a webhook that is off are skipped, which ends them at once. When a webhook is unsubscribed, its cursor still passes
//! the entries that were made before, and is then deleted, unless the webhook was subscribed again: then it goes on with
//! the entries that are made since.

mod announce;
mod begin;
mod look;

pub(super) use announce::announce;
pub(super) use begin::{begin, end_others};
pub(super) use look::look;
