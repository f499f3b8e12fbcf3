//! The webhooks' store and the queue of deliveries.

mod claims;
mod fairness;
mod outbox;
mod plans;
mod record;
mod settling;
mod store;
