//! The webhooks' store and the queue of deliveries.

mod claims;
mod clock_steps;
mod fairness;
mod followers;
mod outbox;
mod outcomes;
mod plans;
mod record;
mod settling;
mod store;
