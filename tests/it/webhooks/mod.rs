//! Webhooks and deliveries from outside.

mod deliveries;
mod manage;
mod outbox;
mod permission;
mod secrets;
mod test;
