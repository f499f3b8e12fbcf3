//! The sync port.

use async_trait::async_trait;

use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{AssetId, CompanyId, IntegrationId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::sync::{
    Asset, AssetChange, AssetDetail, AssetSummary, AssetSync, ChangeOutcome, ContentSource,
    Integration, IntegrationChoice, IntegrationDraft, MappingChoice, Report, ReportDecision,
    Reported, RequestProblem, RequestedSync, SyncRequest, SyncStore,
};
use contact_hub_domain::time::Timestamp;

use super::report::Recording;
use super::{assets, content, integrations, request, syncs};
use crate::Storage;
use crate::dialect::Lock;
use crate::units::{Reading, Writing};

#[async_trait]
impl SyncStore for Storage {
    async fn create_asset(&self, by: Author, asset: Asset) -> Result<(), StoreError> {
        let company = by.company;
        self.write(company, move |connection| assets::create(connection, &by, &asset)).await
    }

    async fn read_asset(
        &self,
        company: CompanyId,
        id: AssetId,
    ) -> Result<Option<AssetDetail>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            assets::read(connection, company, id)
        })
        .await
    }

    async fn list_assets(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<AssetSummary>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            assets::list(connection, company, page)
        })
        .await
    }

    async fn change_asset(
        &self,
        by: Author,
        id: AssetId,
        change: AssetChange,
        at: Timestamp,
    ) -> Result<ChangeOutcome<AssetDetail>, StoreError> {
        let company = by.company;
        self.write(company, move |connection| assets::change(connection, &by, id, &change, at))
            .await
    }

    async fn delete_asset(
        &self,
        by: Author,
        id: AssetId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let company = by.company;
        self.write(company, move |connection| assets::delete(connection, &by, id, at)).await
    }

    async fn create_integration(
        &self,
        by: Author,
        integration: Integration,
        max: usize,
    ) -> Result<bool, StoreError> {
        let company = by.company;
        self.write(company, move |connection| {
            integrations::create(connection, &by, &integration, max)
        })
        .await
    }

    async fn read_integration(
        &self,
        company: CompanyId,
        id: IntegrationId,
    ) -> Result<Option<Integration>, StoreError> {
        self.read(Reading::For(company), move |connection| {
            integrations::find(connection, company, id, Lock::None)
        })
        .await
    }

    async fn list_integrations(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<Integration>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            integrations::list(connection, company, page)
        })
        .await
    }

    async fn integration_choices(
        &self,
        company: CompanyId,
    ) -> Result<Vec<IntegrationChoice>, StoreError> {
        self.read(Reading::Many(company), move |connection| {
            integrations::choices(connection, company)
        })
        .await
    }

    async fn change_integration(
        &self,
        by: Author,
        id: IntegrationId,
        change: IntegrationDraft,
        at: Timestamp,
    ) -> Result<ChangeOutcome<Integration>, StoreError> {
        let company = by.company;
        self.write(company, move |connection| {
            integrations::change(connection, &by, id, &change, at)
        })
        .await
    }

    async fn delete_integration(
        &self,
        by: Author,
        id: IntegrationId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let company = by.company;
        self.write(company, move |connection| integrations::delete(connection, &by, id, at)).await
    }

    async fn request(
        &self,
        by: Author,
        request: SyncRequest,
    ) -> Result<Result<RequestedSync, RequestProblem>, StoreError> {
        request::request(self, by, request).await
    }

    async fn list_syncs(
        &self,
        company: CompanyId,
        asset: AssetId,
        page: PageRequest,
    ) -> Result<Option<Page<AssetSync>>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            if !assets::exists(connection, company, asset)? {
                return Ok(None);
            }
            syncs::list(connection, company, asset, page).map(Some)
        })
        .await
    }

    async fn report(
        &self,
        by: Author,
        asset: AssetId,
        reported: Reported,
        report: Report,
        at: Timestamp,
    ) -> Result<Option<ReportDecision>, StoreError> {
        let recording = Recording { by, asset, reported, report, at };
        self.write(Writing::Few, move |connection| recording.run(connection)).await
    }

    async fn content(
        &self,
        company: CompanyId,
        asset: AssetId,
        choice: MappingChoice,
    ) -> Result<Option<ContentSource>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            content::content(connection, company, asset, choice)
        })
        .await
    }
}
