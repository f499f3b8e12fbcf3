//! Assets and their publication; the platforms to which they are published.

pub(crate) mod add_integration;
mod asset_form;
mod asset_warnings;
pub(crate) mod change_asset;
pub(crate) mod change_integration;
pub(crate) mod check_asset;
mod converted_source;
pub(crate) mod create_asset;
pub(crate) mod create_integration;
pub(crate) mod delete_asset;
pub(crate) mod delete_integration;
mod integration_form;
pub(crate) mod list_assets;
pub(crate) mod list_integrations;
mod merge_tag_choices;
mod platform_names;
pub(crate) mod platforms;
pub(crate) mod preview;
pub(crate) mod preview_as;
pub(crate) mod publish;
mod publish_menu;
pub(crate) mod read_asset;
mod sample;
pub(crate) mod state;
mod sync_row;
