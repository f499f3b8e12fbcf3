//! The assets, integrations and syncs of every company.
//!
//! Locks are taken in one order: the asset, the integration, the sync, and last the rows of webhooks. So a request, a
//! report and a deletion never deadlock.

mod assets;
mod content;
mod integrations;
mod report;
mod request;
mod request_facts;
mod rows;
mod store;
mod syncs;

pub(crate) use request::Asked;
