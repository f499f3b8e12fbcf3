//! Sync: assets, integrations, and the syncs between them.
//!
//! An asset is written once, with merge tags such as `{{first_name|there}}`. [`convert()`] converts them to a
//! platform's syntax. A company's [`MergeTagMapping`] has precedence over the built-in conversion. Text outside tags
//! never changes.
//!
//! # The life of a sync
//!
//! A user requests it ([`request()`]). [`decide_request`] creates the sync, closes the open one of the same asset and
//! integration, and creates the event. A store writes all of it and the deliveries of the event in one transaction. A
//! receiver of the event fetches the content ([`read_content()`]) and reports the result ([`report()`]);
//! [`decide_report`] finds the sync of a report. [`AssetSync::after`] has the transitions of a sync.

mod asset;
mod asset_draft;
mod change_asset;
mod change_integration;
mod content;
mod content_query;
mod convert;
mod create_asset;
mod create_integration;
mod delete_asset;
mod delete_integration;
mod error;
mod fill;
mod integration;
mod integration_draft;
mod links;
mod list_assets;
mod list_integrations;
mod list_syncs;
mod mapping;
mod merge_tag;
mod plain_text;
mod platform;
mod platforms;
mod port;
mod read_asset;
mod read_content;
mod read_integration;
mod redacted;
mod report;
mod report_draft;
mod reporting;
mod request;
mod requesting;
mod result;
mod state;
mod template;
mod unknown_tags;

pub use asset::{
    Asset, AssetBody, AssetForm, AssetName, AssetText, AssetType, Line, MAX_ASSET_BODY,
    MAX_ASSET_NAME, MAX_SUBJECT,
};
pub use asset_draft::{AssetChange, AssetDraft};
pub use change_asset::change_asset;
pub use change_integration::change_integration;
pub use content::{Content, MAX_CONVERTED, Rendered};
pub use content_query::ContentQuery;
pub use convert::{Converted, convert, differences, tags};
pub use create_asset::create_asset;
pub use create_integration::create_integration;
pub use delete_asset::delete_asset;
pub use delete_integration::delete_integration;
pub use error::SyncError;
pub use fill::fill;
pub use integration::{
    AssetTypes, Integration, IntegrationChoice, IntegrationName, MAX_INTEGRATION_NAME,
};
pub use integration_draft::IntegrationDraft;
pub use links::{Links, PUBLISHED_BASE};
pub use list_assets::list_assets;
pub use list_integrations::{integration_choices, list_integrations};
pub use list_syncs::list_syncs;
pub use mapping::{MAX_MAPPED_TAGS, MAX_REPLACEMENT, MappedTag, MergeTagMapping};
pub use merge_tag::{MergeTag, MergeTagName};
pub use plain_text::plain_text;
pub use platform::Platform;
#[cfg(any(test, feature = "mocks"))]
pub use port::MockSyncStore;
pub use port::{AssetDetail, AssetSummary, ChangeOutcome, ContentSource, MappingChoice, SyncStore};
pub use read_asset::read_asset;
pub use read_content::read_content;
pub use read_integration::read_integration;
pub use report::{ReportedSync, report};
pub use report_draft::{ReportDraft, Reported};
pub use reporting::{ReportDecision, ReportFacts, decide_report};
pub use request::{SyncDraft, request};
pub use requesting::{
    RequestFacts, RequestProblem, RequestedAsset, RequestedSync, SyncRequest, decide_request,
};
pub use result::{
    ErrorMessage, MAX_ERROR_MESSAGE, MAX_MAP_ID, MAX_MAP_URL, MapEntry, MapId, MapUrl, Report,
};
pub use state::{AssetSync, Step, Stepped, SyncState, SyncStatus};
pub use template::{Segment, segments};
pub use unknown_tags::{UnknownTag, UnknownTags, unknown_tags};
