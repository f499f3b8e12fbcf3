//! The store port of the overview.

use async_trait::async_trait;

use super::{
    ContactDay, FailedSync, FailingWebhook, HourlyCalls, KeyDay, LastImport, SetupSteps, SyncTotals,
};
use crate::ids::{ApiKeyId, CompanyId, InstanceId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// How far an overview goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// The first hour of the calls.
    pub calls: Timestamp,
    /// The first day of everything else.
    pub days: Timestamp,
}

/// The overview of a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanyOverview {
    /// The calls of the hours that have some, the earliest first.
    pub calls: Vec<HourlyCalls>,
    /// The number of contacts of the days before today that were recorded, the earliest first.
    pub contact_days: Vec<ContactDay>,
    /// How many active contacts there are.
    pub contacts: u64,
    /// The syncs by their state.
    pub syncs: SyncTotals,
    /// A few of the assets whose latest sync failed, the latest first.
    pub failed_syncs: Vec<FailedSync>,
    /// A few of the webhooks that fail.
    pub failing_webhooks: Vec<FailingWebhook>,
    /// A few of the imports that refused rows, of those that are the last of their users, the latest first.
    pub refused_imports: Vec<LastImport>,
    /// The steps of the setup; `None` once there is a completed sync.
    pub setup: Option<SetupSteps>,
}

/// Stores the figures of all companies.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OverviewStore: Send + Sync {
    /// The overview of a company, read at one moment.
    async fn overview(
        &self,
        company: CompanyId,
        since: Since,
    ) -> Result<CompanyOverview, StoreError>;

    /// Records the calls that an instance counted in these hours. A repetition replaces what was recorded before, so that
    /// nothing is counted twice; the count of an hour never decreases. Calls of companies that are unknown by then are
    /// dropped.
    async fn record_calls(
        &self,
        instance: InstanceId,
        calls: Vec<(CompanyId, HourlyCalls)>,
    ) -> Result<(), StoreError>;

    /// Adds calls to the days of keys, in one transaction. Calls of companies that are unknown by then are dropped.
    async fn record_key_days(&self, days: Vec<(CompanyId, KeyDay)>) -> Result<(), StoreError>;

    /// The calls with some keys of a company on the days since a moment, each with a row of its own.
    async fn key_days(
        &self,
        company: CompanyId,
        keys: Vec<ApiKeyId>,
        since: Timestamp,
    ) -> Result<Vec<KeyDay>, StoreError>;
    /// Records the last import of a user of the company, replacing an earlier one.
    async fn record_import(&self, company: CompanyId, import: LastImport)
    -> Result<(), StoreError>;

    /// Records the number of active contacts of every company for this day, replacing an earlier one.
    async fn record_contact_days(&self, day: Timestamp) -> Result<(), StoreError>;
}
