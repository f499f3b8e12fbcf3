//! The assets, integrations and syncs of every company.
//!
//! Locks are taken in one order: the asset, the integration, the sync, and last what belongs to webhooks. So a request, a
//! report and a deletion that meet wait for each other, and never in a circle.

mod assets;
mod content;
mod integrations;
mod report;
mod request;
mod rows;
mod store;
mod syncs;
