//! The webhooks' store and the queue of deliveries.

mod claims;
mod outbox;
mod plans;
mod record;
mod store;
