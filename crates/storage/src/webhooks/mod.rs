//! The webhooks of every company, and the queue of what is delivered to them.
//!
//! Every transaction locks webhooks before deliveries, each in the order of their ids, so no two wait for each other in a
//! circle; settlements come between them. What is open on a webhook that is off was set going by a person after it was
//! switched off: switching off closes everything that is open, and nothing is enqueued as open while the webhook is off.
//! What that means for many rows is in [`settling`].

mod attempts;
mod claim;
mod deliveries;
mod enqueue;
mod explain;
mod instances;
mod look;
mod matching;
mod purge;
mod queue;
mod read;
mod record;
mod resend;
mod rows;
mod save;
mod secret_store;
mod secrets;
mod settling;
mod store;
mod test_deliveries;
mod transitions;

pub(crate) use enqueue::{Subscriber, cancel_for_syncs, enqueue, lock_subscribers};
