//! Webhooks and deliveries over HTTP.

mod crash;
mod deliveries;
mod delivery;
pub(crate) mod desk;
mod ending;
mod feed;
mod former;
mod hanging;
mod held_tests;
mod hostile;
mod instances;
mod manage;
mod outbox;
mod outcomes;
mod permission;
mod prefetch;
mod queued;
mod secrets;
mod syncs;
mod takeover;
mod test;
mod tls;
