//! The assets, integrations and syncs of every company.
//!
//! Locks are taken in one order: assets, integrations, subscribed webhooks, syncs, and last deliveries, each by their ids. So
//! requests, reports and deletions never deadlock.

mod asked;
mod assets;
mod content;
mod integrations;
mod report;
mod request;
mod request_facts;
mod rows;
mod store;
mod syncs;

pub(crate) use asked::Asked;
pub(crate) use syncs::obsolete;
