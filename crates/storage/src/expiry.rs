//! Deletes what is kept for a time: entries of the change feed and of the audit, kept answers, counts of attempts, and
//! figures of the overview.

use std::time::Duration;

use tokio::time::sleep;
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use crate::Storage;
use crate::company_walk::next_company;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::units::{Reading, Writing};
use crate::webhooks::delete_old_outcomes;
use crate::{audit, changes, idempotency, overview};

/// How many rows one transaction deletes, so that transactions stay short.
const BATCH: u32 = 500;

/// The pause between two batches.
const REST: Duration = Duration::from_millis(50);

/// Deletes a company's oldest rows from before a moment, at most this many; returns how many there were.
type Delete = fn(&mut Connection, CompanyId, Timestamp, u32) -> Result<usize, Failure>;

/// Deletes old rows of a database. A company whose rows cannot be deleted holds up no other one.
#[derive(Clone)]
pub struct Expiry(Storage);

impl Storage {
    /// Deletes what is kept for a time, which a service does in the background.
    #[must_use]
    pub fn expiry(&self) -> Expiry {
        Expiry(self.clone())
    }
}

impl Expiry {
    /// Deletes the entries of the change feed from before a moment; returns how many there were. The cursors that point
    /// before the last one expire.
    pub async fn delete_changes(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete("changes WHERE true", before, changes::delete_old).await
    }

    /// Deletes the entries of the audit from before a moment; returns how many there were.
    pub async fn delete_audit(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete("audit WHERE true", before, audit::delete_old).await
    }

    /// Deletes the answers that were kept before a moment; returns how many there were.
    pub async fn delete_answers(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete("kept_answers WHERE true", before, idempotency::delete_old).await
    }

    /// Deletes the counts of attempts of the hours before a moment; returns how many rows there were.
    pub async fn delete_outcomes(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete("delivery_outcomes WHERE true", before, delete_old_outcomes).await
    }

    /// Deletes the counts of calls of the hours before a moment; returns how many rows there were.
    pub async fn delete_call_counts(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete("call_counts WHERE true", before, overview::delete_old_calls).await
    }

    /// Deletes the numbers of contacts of the days before a moment; returns how many there were.
    pub async fn delete_contact_days(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete("contact_days WHERE true", before, overview::delete_old_contact_days).await
    }

    /// Deletes the calls with keys of the days before a moment; returns how many rows there were.
    pub async fn delete_key_days(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete("key_days WHERE true", before, overview::delete_old_key_days).await
    }

    async fn delete(
        &self,
        rows: &'static str,
        before: Timestamp,
        delete: Delete,
    ) -> Result<usize, StoreError> {
        let (mut after, mut deleted) = (Uuid::nil(), 0);
        while let Some(company) = self.next(rows, after).await? {
            match self.delete_of(company, before, delete).await {
                Ok(count) => deleted += count,
                Err(error) => tracing::warn!(%error, %company, "old rows were not deleted"),
            }
            after = company.uuid();
        }
        Ok(deleted)
    }

    async fn next(&self, rows: &'static str, after: Uuid) -> Result<Option<CompanyId>, StoreError> {
        self.0.read(Reading::Few, move |connection| next_company(connection, rows, after)).await
    }

    async fn delete_of(
        &self,
        company: CompanyId,
        before: Timestamp,
        delete: Delete,
    ) -> Result<usize, StoreError> {
        let mut deleted = 0;
        loop {
            let unit =
                move |connection: &mut Connection| delete(connection, company, before, BATCH);
            let count = self.0.write_unrecorded(Writing::For(company), unit).await?;
            deleted += count;
            if u32::try_from(count).is_ok_and(|count| count < BATCH) {
                return Ok(deleted);
            }
            sleep(REST).await;
        }
    }
}
