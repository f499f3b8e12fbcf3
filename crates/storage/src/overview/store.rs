//! The port of the overview.

use async_trait::async_trait;
use uuid::Uuid;

use contact_hub_domain::ids::{ApiKeyId, CompanyId, InstanceId};
use contact_hub_domain::overview::{
    CompanyOverview, HourlyCalls, KeyDay, LastImport, OverviewStore, Since,
};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::{calls, contact_days, imports, key_days, setup, standing};
use crate::Storage;
use crate::counts::stored_total;
use crate::units::{Reading, Writing};

/// How many rows one transaction writes, so that transactions stay short.
const BATCH: u32 = 500;

#[async_trait]
impl OverviewStore for Storage {
    async fn overview(
        &self,
        company: CompanyId,
        since: Since,
    ) -> Result<CompanyOverview, StoreError> {
        self.read_anywhere(Reading::List(company), move |connection| {
            let contacts = stored_total(connection, company)?;
            Ok(CompanyOverview {
                calls: calls::since(connection, company, since.calls)?,
                contact_days: contact_days::since(connection, company, since.days)?,
                contacts,
                syncs: standing::sync_totals(connection, company, since.days)?,
                failed_syncs: standing::failed_syncs(connection, company, since.days)?,
                failing_webhooks: standing::failing_webhooks(connection, company)?,
                refused_imports: imports::with_refused_rows(connection, company, since.days)?,
                setup: setup::steps(connection, company, contacts)?,
            })
        })
        .await
    }

    async fn record_calls(
        &self,
        instance: InstanceId,
        mut calls: Vec<(CompanyId, HourlyCalls)>,
    ) -> Result<(), StoreError> {
        // All instances lock companies in one order.
        calls.sort_unstable_by_key(|(company, calls)| (company.uuid(), calls.hour));
        for batch in calls.chunks(BATCH.try_into().unwrap_or(usize::MAX)) {
            let batch = batch.to_vec();
            self.write_unrecorded(Writing::Few, move |connection| {
                calls::record(connection, instance, &batch)
            })
            .await?;
        }
        Ok(())
    }

    async fn record_key_days(&self, days: Vec<(CompanyId, KeyDay)>) -> Result<(), StoreError> {
        self.write_unrecorded(Writing::Few, move |connection| key_days::record(connection, &days))
            .await
    }

    async fn key_days(
        &self,
        company: CompanyId,
        keys: Vec<ApiKeyId>,
        since: Timestamp,
    ) -> Result<Vec<KeyDay>, StoreError> {
        self.read_anywhere(Reading::List(company), move |connection| {
            key_days::since(connection, company, &keys, since)
        })
        .await
    }

    async fn record_import(
        &self,
        company: CompanyId,
        import: LastImport,
    ) -> Result<(), StoreError> {
        self.write_unrecorded(Writing::Few, move |connection| {
            imports::record(connection, company, &import)
        })
        .await
    }

    async fn record_contact_days(&self, day: Timestamp) -> Result<(), StoreError> {
        let mut after = Uuid::nil();
        loop {
            let next =
                move |connection: &mut _| contact_days::active_after(connection, after, BATCH);
            let companies = self.read(Reading::Few, next).await?;
            let Some(last) = companies.last() else { return Ok(()) };
            after = last.company_id.0;
            self.write_unrecorded(Writing::Few, move |connection| {
                contact_days::record(connection, day, &companies)
            })
            .await?;
        }
    }
}
