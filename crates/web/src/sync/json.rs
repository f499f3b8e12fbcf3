//! How assets, integrations and syncs look on the wire.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use contact_hub_domain::sync::{
    AssetDetail, AssetDraft, AssetSummary, AssetSync, AssetType, Content, Integration,
    IntegrationDraft, Platform, Rendered, ReportDraft, SyncStatus,
};
use contact_hub_domain::time::Timestamp;

use crate::extract::Object;
use crate::openapi::values::{AssetTypeName, MergeTagFormat, SyncStatusName};

/// An asset in a list: without its HTML and text.
#[derive(Serialize, ToSchema)]
#[schema(as = AssetSummary)]
pub(crate) struct AssetSummaryJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    name: &'a str,
    #[schema(value_type = AssetTypeName)]
    r#type: &'static str,
    /// Null for a landing page.
    #[schema(required)]
    subject: Option<&'a str>,
    /// Null for a landing page, and for an email without one.
    #[schema(required)]
    preheader: Option<&'a str>,
    /// That of its latest sync; null when it was never synced.
    #[schema(required, value_type = Option<SyncStatusName>)]
    sync_status: Option<&'static str>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

impl<'a> From<&'a AssetSummary> for AssetSummaryJson<'a> {
    fn from(asset: &'a AssetSummary) -> Self {
        Self {
            id: asset.id.to_string(),
            name: asset.name.as_str(),
            r#type: asset.form.kind().as_str(),
            subject: asset.form.subject(),
            preheader: asset.form.preheader(),
            sync_status: asset.sync_status.map(SyncStatus::as_str),
            created_at: asset.created_at.to_seconds_text(),
            updated_at: asset.updated_at.to_seconds_text(),
        }
    }
}

/// An asset.
#[derive(Serialize, ToSchema)]
#[schema(as = Asset)]
pub(crate) struct AssetJson<'a> {
    #[serde(flatten)]
    summary: AssetSummaryJson<'a>,
    html: &'a str,
    text: &'a str,
    /// Whether the text was made from the HTML, with which it then changes.
    text_is_made: bool,
    /// The latest sync for each integration, the newest first.
    latest_syncs: Vec<SyncJson<'a>>,
}

impl<'a> From<&'a AssetDetail> for AssetJson<'a> {
    fn from(detail: &'a AssetDetail) -> Self {
        let asset = &detail.asset;
        let summary = AssetSummaryJson {
            id: asset.id.to_string(),
            name: asset.name.as_str(),
            r#type: asset.form.kind().as_str(),
            subject: asset.form.subject(),
            preheader: asset.form.preheader(),
            sync_status: detail.sync_status.map(SyncStatus::as_str),
            created_at: asset.created_at.to_seconds_text(),
            updated_at: asset.updated_at.to_seconds_text(),
        };
        Self {
            summary,
            html: asset.html.as_str(),
            text: &asset.text.text,
            text_is_made: asset.text.is_made,
            latest_syncs: detail.latest_syncs.iter().map(SyncJson::from).collect(),
        }
    }
}

/// An integration.
#[derive(Serialize, ToSchema)]
#[schema(as = Integration)]
pub(crate) struct IntegrationJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    name: &'a str,
    #[schema(value_type = Vec<AssetTypeName>, min_items = 1, max_items = 2)]
    asset_types: Vec<&'static str>,
    #[schema(value_type = MergeTagFormat)]
    merge_tag_format: &'static str,
    /// The company's own texts by merge tag; empty when there are none.
    merge_tag_mapping: BTreeMap<String, &'a str>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

impl<'a> From<&'a Integration> for IntegrationJson<'a> {
    fn from(integration: &'a Integration) -> Self {
        let mapping = integration.mapping.iter();
        Self {
            id: integration.id.to_string(),
            name: integration.name.as_str(),
            asset_types: integration.asset_types.iter().map(AssetType::as_str).collect(),
            merge_tag_format: integration.format.as_str(),
            merge_tag_mapping: mapping.map(|(name, text)| (name.to_string(), text)).collect(),
            created_at: integration.created_at.to_seconds_text(),
            updated_at: integration.updated_at.to_seconds_text(),
        }
    }
}

/// A sync of an asset to an integration.
#[derive(Serialize, ToSchema)]
#[schema(as = Sync)]
pub(crate) struct SyncJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    #[schema(format = "uuid")]
    asset_id: String,
    #[schema(format = "uuid")]
    integration_id: String,
    #[schema(value_type = SyncStatusName)]
    status: &'static str,
    /// The platform's own id for the asset, once the sync is completed.
    #[schema(required)]
    map_id: Option<&'a str>,
    /// Where the platform shows the asset, once the sync is completed.
    #[schema(required, format = "uri")]
    map_url: Option<&'a str>,
    /// Why the sync failed; also that a newer request took its place, or that its integration was deleted.
    #[schema(required)]
    error_message: Option<&'a str>,
    /// The email of the user who asked for it.
    #[schema(required)]
    requested_by: Option<&'a str>,
    #[schema(format = DateTime)]
    requested_at: String,
    /// Null until its result is reported.
    #[schema(required, format = DateTime)]
    reported_at: Option<String>,
}

impl<'a> From<&'a AssetSync> for SyncJson<'a> {
    fn from(sync: &'a AssetSync) -> Self {
        Self {
            id: sync.id.to_string(),
            asset_id: sync.asset_id.to_string(),
            integration_id: sync.integration_id.to_string(),
            status: sync.status().as_str(),
            map_id: sync.map().map(|map| map.id.as_str()),
            map_url: sync.map().map(|map| map.url.as_str()),
            error_message: sync.error_message(),
            requested_by: sync.requested_by.as_deref(),
            requested_at: sync.requested_at.to_seconds_text(),
            reported_at: sync.reported_at().map(Timestamp::to_seconds_text),
        }
    }
}

/// The content of an asset in a platform's syntax.
#[derive(Serialize, ToSchema)]
#[schema(as = Content)]
pub(crate) struct ContentJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    name: &'a str,
    #[schema(value_type = AssetTypeName)]
    r#type: &'static str,
    /// Null for a landing page.
    #[schema(required)]
    subject: Option<String>,
    /// Null for a landing page, and for an email without one.
    #[schema(required)]
    preheader: Option<String>,
    #[schema(format = DateTime)]
    updated_at: String,
    html: String,
    text: String,
    /// The format of the merge tags; null when they are as they were written.
    #[schema(required, value_type = Option<MergeTagFormat>)]
    platform: Option<&'static str>,
    /// What the merge tags in any part stand for, such as `first_name` or `field:jobTitle`, each once.
    merge_tags: Vec<String>,
}

impl<'a> ContentJson<'a> {
    pub(crate) fn new(content: &'a Content, rendered: Rendered) -> Self {
        Self {
            id: content.asset.id.to_string(),
            name: content.asset.name.as_str(),
            r#type: content.asset.form.kind().as_str(),
            subject: rendered.subject,
            preheader: rendered.preheader,
            updated_at: content.asset.updated_at.to_seconds_text(),
            html: rendered.html,
            text: rendered.text,
            platform: content.platform.map(Platform::as_str),
            merge_tags: rendered.merge_tags.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Decodes an asset.
pub(crate) fn asset_draft(body: &Object<'_>) -> AssetDraft {
    AssetDraft {
        name: body.input("name"),
        r#type: body.input("type"),
        html: body.input("html"),
        text: body.input("text"),
        subject: body.input("subject"),
        preheader: body.input("preheader"),
    }
}

/// Decodes an integration.
pub(crate) fn integration_draft(body: &Object<'_>) -> IntegrationDraft {
    IntegrationDraft {
        name: body.input("name"),
        asset_types: body.given_scalars("asset_types", AssetType::ALL.len()),
        merge_tag_format: body.input("merge_tag_format"),
        merge_tag_mapping: body.members("merge_tag_mapping"),
    }
}

/// Decodes a report.
pub(crate) fn report_draft(body: &Object<'_>) -> ReportDraft {
    ReportDraft {
        status: body.input("status"),
        map_id: body.input("map_id"),
        map_url: body.input("map_url"),
        error_message: body.input("error_message"),
        sync_id: body.input("sync_id"),
    }
}
