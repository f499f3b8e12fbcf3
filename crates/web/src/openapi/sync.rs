//! The rows of assets, integrations and syncs.

use utoipa::openapi::path::HttpMethod::{self, Delete, Get, Patch, Post};

use contact_hub_domain::sync::PUBLISHED_BASE;

use super::parameters;
use super::row::Row;
use super::success::Success;
use crate::base_paths::MANAGE_BASE;
use crate::error::Code;
use crate::extract::{ASSET_BODY, STANDARD_BODY};

const ASSET: &str = "The id of an asset";
const INTEGRATION: &str = "The id of an integration";

/// Every operation.
pub(super) fn operations() -> Vec<Row> {
    [assets(), syncs(), integrations(), published()].into_iter().flatten().collect()
}

const fn asset(
    route: (HttpMethod, &'static str),
    id: &'static str,
    summary: &'static str,
    success: Success,
) -> Row {
    Row::at(MANAGE_BASE, "assets", route, id, summary, success)
}

const fn integration(
    route: (HttpMethod, &'static str),
    id: &'static str,
    summary: &'static str,
    success: Success,
) -> Row {
    Row::at(MANAGE_BASE, "integrations", route, id, summary, success)
}

fn assets() -> Vec<Row> {
    const ONE: &str = "/assets/{id}";
    vec![
        asset((Post, "/assets"), "createAsset", "Create an asset", Success::Created("Asset"))
            .tells(
                "The plain text is made from the HTML when none is given, and then changes with it.",
            )
            .body("AssetInput", ASSET_BODY),
        asset((Get, "/assets"), "listAssets", "List assets", Success::Page("AssetSummary"))
            .tells("In the order of their creation, without their HTML and text.")
            .takes(parameters::page()),
        asset((Get, ONE), "readAsset", "Read one asset", Success::One("Asset"))
            .tells("The asset, and its latest sync for each integration.")
            .takes(parameters::id(ASSET))
            .fails(&[Code::AssetNotFound]),
        asset((Patch, ONE), "changeAsset", "Change an asset", Success::One("Asset"))
            .tells(
                "What is absent stays. Null clears `preheader`, and has `text` made from the HTML again. An email that \
                 becomes a landing page loses subject and preheader.",
            )
            .takes(parameters::id(ASSET))
            .body("AssetChange", ASSET_BODY)
            .fails(&[Code::AssetNotFound]),
        asset((Delete, ONE), "deleteAsset", "Delete an asset", Success::Nothing)
            .tells("Its syncs go with it, and deliveries that tell of the open ones are cancelled.")
            .takes(parameters::id(ASSET))
            .fails(&[Code::AssetNotFound]),
    ]
}

fn syncs() -> Vec<Row> {
    const PATH: &str = "/assets/{id}/syncs";
    vec![
        asset((Get, PATH), "listSyncs", "List the syncs of an asset", Success::Page("Sync"))
            .tells("The newest first.")
            .takes(parameters::id(ASSET))
            .takes(parameters::page())
            .fails(&[Code::AssetNotFound]),
        asset((Post, PATH), "requestSync", "Request a sync", Success::Accepted("Sync"))
            .tells(
                "Every enabled webhook that subscribes to syncRequested is told. An open sync of the asset to the same \
                 integration is superseded, which its status tells as `failed`.",
            )
            .takes(parameters::id(ASSET))
            .body("SyncInput", STANDARD_BODY)
            .fails(&[
                Code::AssetNotFound,
                Code::IntegrationNotFound,
                Code::AssetTypeNotSupported,
                Code::WebhookNotConfigured,
            ]),
    ]
}

fn integrations() -> Vec<Row> {
    const ALL: &str = "/integrations";
    const ONE: &str = "/integrations/{id}";
    const NOT_FOUND: &[Code] = &[Code::IntegrationNotFound];
    let created = Success::Created("Integration");
    let page = Success::Page("Integration");
    let one = || Success::One("Integration");
    vec![
        integration((Post, ALL), "createIntegration", "Create an integration", created)
            .tells("A text that a merge tag is mapped to goes out as it was entered.")
            .body("IntegrationInput", STANDARD_BODY),
        integration((Get, ALL), "listIntegrations", "List integrations", page)
            .tells("In the order of their creation.")
            .takes(parameters::page()),
        integration((Get, ONE), "readIntegration", "Read one integration", one())
            .tells("The integration with its own texts for merge tags.")
            .takes(parameters::id(INTEGRATION))
            .fails(NOT_FOUND),
        integration((Patch, ONE), "changeIntegration", "Change an integration", one())
            .tells("What is absent stays. A mapping is replaced as a whole; null clears it.")
            .takes(parameters::id(INTEGRATION))
            .body("IntegrationChange", STANDARD_BODY)
            .fails(NOT_FOUND),
        integration((Delete, ONE), "deleteIntegration", "Delete an integration", Success::Nothing)
            .tells("Its syncs stay. Open ones are closed, and deliveries that tell of them are cancelled.")
            .takes(parameters::id(INTEGRATION))
            .fails(NOT_FOUND),
    ]
}

fn published() -> Vec<Row> {
    const CONTENT: &str = "/assets/{id}/content";
    const STATUS: &str = "/sync-status/{id}";
    let row = |route, id, summary, success| {
        Row::at(PUBLISHED_BASE, "custom platform", route, id, summary, success)
    };
    let content = Success::Versioned("Content");
    vec![
        row((Get, CONTENT), "readContent", "Read the content of an asset", content)
            .tells(
                "Metadata, HTML and plain text, with the merge tags in the syntax of a platform. The link in an event \
                 leads here.",
            )
            .takes(parameters::id(ASSET))
            .takes(parameters::content())
            .takes(parameters::if_none_match())
            .fails(&[Code::AssetNotFound, Code::IntegrationNotFound]),
        row((Patch, STATUS), "reportSync", "Report the result of a sync", Success::One("Sync"))
            .tells(
                "Of the sync that `sync_id` names, else of the asset's one open sync. The same report again changes \
                 nothing.",
            )
            .takes(parameters::id(ASSET))
            .body("SyncReport", STANDARD_BODY)
            .fails(&[Code::AssetNotFound, Code::SyncNotRequested, Code::SyncAmbiguous]),
    ]
}
