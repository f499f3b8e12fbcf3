//! Assets, integrations and syncs: how people manage them, and what a custom platform's service calls.

pub(crate) mod change_asset;
pub(crate) mod change_integration;
mod content_query;
pub(crate) mod create_asset;
pub(crate) mod create_integration;
pub(crate) mod delete_asset;
pub(crate) mod delete_integration;
pub(crate) mod json;
pub(crate) mod list_assets;
pub(crate) mod list_integrations;
pub(crate) mod list_syncs;
pub(crate) mod read_asset;
pub(crate) mod read_content;
pub(crate) mod read_integration;
pub(crate) mod report;
pub(crate) mod request;
pub(crate) mod shapes;
