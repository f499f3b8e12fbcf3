//! The store port of sync.

use async_trait::async_trait;

use super::asset::{Asset, AssetForm, AssetName};
use super::asset_draft::AssetChange;
use super::integration::{Integration, IntegrationChoice};
use super::integration_draft::IntegrationDraft;
use super::platform::Platform;
use super::report_draft::Reported;
use super::reporting::ReportDecision;
use super::requesting::{RequestProblem, RequestedSync, SyncRequest};
use super::result::Report;
use super::state::{AssetSync, SyncStatus};
use crate::author::Author;
use crate::ids::{AssetId, CompanyId, IntegrationId};
use crate::page::{Page, PageRequest};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::violations::Violations;

/// An asset with its latest syncs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetDetail {
    /// The asset.
    pub asset: Asset,
    /// Its latest sync for each integration that exists, the newest first.
    pub latest_syncs: Vec<AssetSync>,
    /// The status of its latest sync; `None` when it was never synced.
    pub sync_status: Option<SyncStatus>,
}

/// An asset in a list: without its HTML and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetSummary {
    /// The service's id.
    pub id: AssetId,
    /// The name.
    pub name: AssetName,
    /// Its type, with the attributes that only this type has.
    pub form: AssetForm,
    /// The status of its latest sync; `None` when it was never synced.
    pub sync_status: Option<SyncStatus>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The outcome of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeOutcome<T> {
    /// The row after the change.
    Changed(T),
    /// The company has none with this id.
    NotFound,
    /// The change has these violations; nothing was written.
    Refused(Violations),
}

/// Which mapping a content is converted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappingChoice {
    /// None.
    Nothing,
    /// The mapping of the oldest integration of this format that has one.
    Of(Platform),
    /// The mapping of this integration.
    By(IntegrationId),
}

/// The source of a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentSource {
    /// The asset.
    pub asset: Asset,
    /// The integration of the mapping, if there is one.
    pub integration: Option<Integration>,
}

/// Stores the assets, integrations and syncs of all companies.
///
/// Each method is one transaction and sees one company only. Concurrent calls are serializable: an asset and an
/// integration never have two open syncs, and a sync is closed once.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SyncStore: Send + Sync {
    /// Stores a new asset.
    async fn create_asset(&self, by: Author, asset: Asset) -> Result<(), StoreError>;

    /// The asset with this id and its latest syncs, read at one moment.
    async fn read_asset(
        &self,
        company: CompanyId,
        id: AssetId,
    ) -> Result<Option<AssetDetail>, StoreError>;

    /// A page of the assets in the order of their creation, with the exact total, read at one moment.
    async fn list_assets(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<AssetSummary>, StoreError>;

    /// Locks the asset and stores the result of [`AssetChange::apply`].
    async fn change_asset(
        &self,
        by: Author,
        id: AssetId,
        change: AssetChange,
        at: Timestamp,
    ) -> Result<ChangeOutcome<AssetDetail>, StoreError>;

    /// Deletes an asset with its syncs, and cancels the deliveries about open syncs; false when there is none.
    async fn delete_asset(
        &self,
        by: Author,
        id: AssetId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Stores a new integration; false when the company already has `max` integrations. Concurrent calls never exceed
    /// `max`.
    async fn create_integration(
        &self,
        by: Author,
        integration: Integration,
        max: usize,
    ) -> Result<bool, StoreError>;

    /// The integration with this id.
    async fn read_integration(
        &self,
        company: CompanyId,
        id: IntegrationId,
    ) -> Result<Option<Integration>, StoreError>;

    /// A page of the integrations in the order of their creation, with the exact total, read at one moment.
    async fn list_integrations(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<Integration>, StoreError>;

    /// All integrations in the order of their creation. The limit on creating them bounds their number.
    async fn integration_choices(
        &self,
        company: CompanyId,
    ) -> Result<Vec<IntegrationChoice>, StoreError>;

    /// Locks the integration and stores the result of [`IntegrationDraft::apply`].
    async fn change_integration(
        &self,
        by: Author,
        id: IntegrationId,
        change: IntegrationDraft,
        at: Timestamp,
    ) -> Result<ChangeOutcome<Integration>, StoreError>;

    /// Deletes an integration. Its syncs stay; open ones are withdrawn, and the deliveries about them are cancelled.
    /// False when there is none.
    async fn delete_integration(
        &self,
        by: Author,
        id: IntegrationId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Reads the facts under a lock and writes the decision of [`decide_request`](super::decide_request()): the new
    /// sync, the superseded one with its deliveries cancelled, the event, and one delivery for each subscribed webhook.
    async fn request(
        &self,
        by: Author,
        request: SyncRequest,
    ) -> Result<Result<RequestedSync, RequestProblem>, StoreError>;

    /// A page of an asset's syncs, the newest first, with the exact total, read at one moment; `None` when the company
    /// has no such asset.
    async fn list_syncs(
        &self,
        company: CompanyId,
        asset: AssetId,
        page: PageRequest,
    ) -> Result<Option<Page<AssetSync>>, StoreError>;

    /// Reads the facts under a lock and writes the decision of [`decide_report`](super::decide_report()). The
    /// deliveries about a closed sync are cancelled. `None` when the company has no such asset.
    async fn report(
        &self,
        by: Author,
        asset: AssetId,
        reported: Reported,
        report: Report,
        at: Timestamp,
    ) -> Result<Option<ReportDecision>, StoreError>;

    /// An asset with the integration of the mapping, read at one moment; `None` when the company has no such asset.
    async fn content(
        &self,
        company: CompanyId,
        asset: AssetId,
        choice: MappingChoice,
    ) -> Result<Option<ContentSource>, StoreError>;
}
