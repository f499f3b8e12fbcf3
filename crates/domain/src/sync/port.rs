//! What the sync capability asks of a store.

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
use crate::ids::{AssetId, CompanyId, IntegrationId};
use crate::page::{Page, PageRequest};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::violations::Violations;

/// An asset, and how its syncs stand.
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
    /// Its type, with what only that type has.
    pub form: AssetForm,
    /// The status of its latest sync; `None` when it was never synced.
    pub sync_status: Option<SyncStatus>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last really changed.
    pub updated_at: Timestamp,
}

/// What came of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeOutcome<T> {
    /// It is this from now on.
    Changed(T),
    /// The company has none with this id.
    NotFound,
    /// The change breaks these rules; nothing was written.
    Refused(Violations),
}

/// Which of the company's mappings a content is converted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappingChoice {
    /// None.
    Nothing,
    /// That of the oldest integration of this format that has one.
    Of(Platform),
    /// That of this integration.
    By(IntegrationId),
}

/// What a content is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentSource {
    /// The asset.
    pub asset: Asset,
    /// The integration whose mapping was asked for, if there is one.
    pub integration: Option<Integration>,
}

/// Keeps the assets, integrations and syncs of every company.
///
/// Each method is one transaction and sees one company alone. Of any number of concurrent calls the outcome is that of
/// some order of them: an asset and an integration never have two open syncs, and a sync is closed once.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SyncStore: Send + Sync {
    /// Stores a new asset.
    async fn create_asset(&self, company: CompanyId, asset: Asset) -> Result<(), StoreError>;

    /// The asset with this id, and how its syncs stand, as of one moment.
    async fn read_asset(
        &self,
        company: CompanyId,
        id: AssetId,
    ) -> Result<Option<AssetDetail>, StoreError>;

    /// A page of the assets in the order of their creation, with the exact number of all, as of one moment.
    async fn list_assets(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<AssetSummary>, StoreError>;

    /// Stores what [`AssetChange::apply`] makes of the asset under a lock.
    async fn change_asset(
        &self,
        company: CompanyId,
        id: AssetId,
        change: AssetChange,
        at: Timestamp,
    ) -> Result<ChangeOutcome<AssetDetail>, StoreError>;

    /// Deletes an asset with its syncs, and cancels the deliveries that tell of the open ones; false when there is none.
    async fn delete_asset(
        &self,
        company: CompanyId,
        id: AssetId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Stores a new integration; false when the company already has `max` integrations. Concurrent calls never exceed
    /// `max`.
    async fn create_integration(
        &self,
        company: CompanyId,
        integration: Integration,
        max: usize,
    ) -> Result<bool, StoreError>;

    /// The integration with this id.
    async fn read_integration(
        &self,
        company: CompanyId,
        id: IntegrationId,
    ) -> Result<Option<Integration>, StoreError>;

    /// A page of the integrations in the order of their creation, with the exact number of all, as of one moment.
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

    /// Stores what [`IntegrationDraft::apply`] makes of the integration under a lock.
    async fn change_integration(
        &self,
        company: CompanyId,
        id: IntegrationId,
        change: IntegrationDraft,
        at: Timestamp,
    ) -> Result<ChangeOutcome<Integration>, StoreError>;

    /// Deletes an integration. Its syncs stay; the open ones are withdrawn, and the deliveries that tell of them
    /// cancelled. False when there is none.
    async fn delete_integration(
        &self,
        company: CompanyId,
        id: IntegrationId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Writes what [`decide_request`](super::decide_request()) decides on the facts under a lock: the new sync, the
    /// superseded one with its deliveries cancelled, the event, and one delivery for each subscribed webhook.
    async fn request(
        &self,
        company: CompanyId,
        request: SyncRequest,
    ) -> Result<Result<RequestedSync, RequestProblem>, StoreError>;

    /// A page of an asset's syncs, the newest first, with the exact number of all, as of one moment; `None` when the
    /// company has no such asset.
    async fn list_syncs(
        &self,
        company: CompanyId,
        asset: AssetId,
        page: PageRequest,
    ) -> Result<Option<Page<AssetSync>>, StoreError>;

    /// Writes what [`decide_report`](super::decide_report()) decides on the facts under a lock, and cancels the
    /// deliveries that tell of a sync that it closes; `None` when the company has no such asset.
    async fn report(
        &self,
        company: CompanyId,
        asset: AssetId,
        reported: Reported,
        report: Report,
        at: Timestamp,
    ) -> Result<Option<ReportDecision>, StoreError>;

    /// An asset with the integration that is chosen, as of one moment; `None` when the company has no such asset.
    async fn content(
        &self,
        company: CompanyId,
        asset: AssetId,
        choice: MappingChoice,
    ) -> Result<Option<ContentSource>, StoreError>;
}
