//! Webhooks that follow the change feed.

mod crash;
mod erased;
mod order;
mod sample;
mod subscribing;
