//! The store of webhooks and the queue of deliveries.

mod claims;
mod clock_steps;
mod company_deletion;
mod fairness;
mod followers;
mod live;
mod outbox;
mod outcomes;
mod plans;
mod record;
mod resend_many;
mod restarted;
mod search;
mod settling;
mod store;
