//! The webhooks of every company, and the delivery queue.
//!
//! Every transaction locks webhooks before deliveries, each in the order of their ids, with settlements in between,
//! so that two transactions never deadlock. Switching a webhook off closes all its open deliveries, and nothing is
//! enqueued as open while it is off. So an open delivery of a webhook that is off was restarted by a person after
//! that. How many rows are closed at once is described in [`settling`].

mod attempts;
mod backlog;
mod claims;
mod contact;
mod deliveries;
mod due_times;
mod enqueue;
mod explain;
mod followers;
mod health_alerts;
mod instances;
mod leases;
mod listed;
mod look;
mod matching;
mod outcomes;
mod purge;
mod queue;
mod read;
mod record;
mod resend;
mod resend_many;
mod rows;
mod save;
mod search;
mod secret_store;
mod secrets;
mod settling;
mod store;
mod test_deliveries;
mod transitions;

pub(crate) use contact::{deliveries_of_contact, forget_contact};
pub(crate) use enqueue::{
    NewEvent, Subscriber, cancel_for_syncs, enqueue, lock_subscribers, lock_subscribers_of,
};
pub(crate) use secret_store::key_ids;
pub(crate) use settling::delivery_counts;
