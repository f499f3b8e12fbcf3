//! Webhooks and deliveries from outside.

mod deliveries;
mod delivery;
mod ending;
mod hostile;
mod manage;
mod outbox;
mod permission;
mod queued;
mod secrets;
mod syncs;
mod test;
mod tls;
