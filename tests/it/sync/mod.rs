//! Assets, integrations and syncs over HTTP.

mod assets;
mod changes;
mod content;
mod formats;
mod integrations;
mod logged;
mod permission;
mod report;
mod request;
pub(crate) mod sample;
mod tenancy;

pub(crate) use permission::calls;
