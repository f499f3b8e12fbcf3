//! Assets and what is published of them; the platforms to which they go.

pub(crate) mod add_integration;
mod asset_form;
pub(crate) mod change_asset;
pub(crate) mod change_integration;
pub(crate) mod create_asset;
pub(crate) mod create_integration;
pub(crate) mod delete_asset;
pub(crate) mod delete_integration;
mod integration_form;
pub(crate) mod list_assets;
pub(crate) mod list_integrations;
mod platform_names;
pub(crate) mod platforms;
pub(crate) mod preview;
pub(crate) mod publish;
mod publish_menu;
pub(crate) mod read_asset;
pub(crate) mod state;
mod sync_row;
