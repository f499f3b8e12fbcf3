//! Deletes a company with all its data, in short batches, while the service runs.
//!
//! First the company is marked. From then on it is unknown to everything but its deletion: within a second its keys and
//! sessions are refused by every instance, and no delivery of it is claimed. Then table after table is deleted. The
//! transaction that deletes the company's own row also deletes what running calls wrote in the meantime.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::company_tables::TABLES;
use crate::Storage;
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::statement::{sql, statement};
use crate::units::Reading;

/// The minimum and the maximum number of rows of a batch.
const MIN: u32 = 50;
const MAX: u32 = 2000;

/// How long a batch may take. On SQLite it blocks all other writes.
const BATCH_WITHIN: Duration = Duration::from_millis(40);

/// The longest pause after a batch. It is as long as the batch, so that other work gets half of the database.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// After this time every instance knows that the company is being deleted, and has recorded the attempts to sign in from
/// before.
const KNOWN_AFTER: Duration = Duration::from_secs(2);

/// A company that is being deleted.
pub struct CompanyDeletion {
    storage: Storage,
    company: CompanyId,
    place: usize,
    rows: u32,
}

/// What a batch deleted.
#[derive(Clone, Copy, Debug)]
pub struct DeletedRows {
    /// The table.
    pub table: &'static str,
    /// How many of its rows.
    pub rows: usize,
}

impl Storage {
    /// Begins to delete a company, or continues; `None` when there is no such company. The deletion is complete when
    /// [`CompanyDeletion::next`] returns nothing.
    pub async fn delete_company(
        &self,
        company: CompanyId,
        at: Timestamp,
    ) -> Result<Option<CompanyDeletion>, StoreError> {
        let unit = move |connection: &mut Connection| mark(connection, company, at);
        if !self.write_unrecorded(company, unit).await? {
            return Ok(None);
        }
        self.holders().forget();
        sleep(KNOWN_AFTER).await;
        let storage = self.clone();
        Ok(Some(CompanyDeletion { storage, company, place: 0, rows: MIN }))
    }

    /// The companies whose deletion is running or was interrupted; the first hundred. No other method knows them.
    pub async fn unfinished_deletions(&self) -> Result<Vec<CompanyId>, StoreError> {
        self.read(Reading::Few, unfinished).await
    }
}

/// The most unfinished deletions that are listed.
const LISTED: i64 = 100;

/// The companies whose deletion has begun and not ended.
pub(crate) fn unfinished(connection: &mut Connection) -> Result<Vec<CompanyId>, Failure> {
    let text = "SELECT id FROM companies WHERE deleting_since IS NOT NULL ORDER BY id LIMIT ?";
    let rows: Vec<IdRow> = connection.rows(statement(text).bind(LISTED))?;
    Ok(rows.into_iter().map(|row| CompanyId::new(row.id.0)).collect())
}

impl CompanyDeletion {
    /// Deletes the next rows; returns nothing when the company and all its data are deleted.
    pub async fn next(&mut self) -> Result<Option<DeletedRows>, StoreError> {
        let (company, limit) = (self.company, self.rows);
        let Some(table) = TABLES.get(self.place) else {
            self.place = 0;
            let storage = self.storage.clone();
            let end = move |connection: &mut Connection| end(&storage, connection, company);
            let left = self.storage.write_unrecorded(company, end).await?;
            if left.is_none() {
                self.storage.empty_log().await;
            }
            return Ok(left);
        };
        let started = Instant::now();
        let storage = self.storage.clone();
        let unit =
            move |connection: &mut Connection| table.delete(&storage, connection, company, limit);
        let rows = self.storage.write_unrecorded(company, unit).await?;
        let elapsed = started.elapsed();
        if rows == 0 {
            self.place = self.place.saturating_add(1);
        } else {
            sleep(elapsed.min(LONGEST_REST)).await;
        }
        self.rows = if elapsed > BATCH_WITHIN { limit / 2 } else { limit.saturating_mul(2) };
        self.rows = self.rows.clamp(MIN, MAX);
        Ok(Some(DeletedRows { table: table.name, rows }))
    }
}

/// Marks the company, and switches off its webhooks without closing their deliveries, which are soon deleted. Without
/// cursors no further events are created from its feed.
fn mark(connection: &mut Connection, company: CompanyId, at: Timestamp) -> Result<bool, Failure> {
    let text = "UPDATE companies SET deleting_since = COALESCE(deleting_since, ?), \
         erase_deleted_after_days = NULL WHERE id = ?";
    let is_known = connection.execute(statement(text).bind(at).bind(company))? == 1;
    let text = "UPDATE webhooks SET disabled_reason = 'by_hand', generation = generation + 1 \
         WHERE company_id = ? AND disabled_reason IS NULL";
    connection.execute(statement(text).bind(company))?;
    let text = "DELETE FROM feed_cursors WHERE company_id = ?";
    connection.execute(statement(text).bind(company))?;
    Ok(is_known)
}

/// Deletes the company's row, and before it the rows that are left in other tables. The lock waits for writers whose
/// rows refer to the company, and blocks new ones. If much is left, the batches begin again.
fn end(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Option<DeletedRows>, Failure> {
    let lock = Lock::ForUpdate.on(connection);
    connection.execute(sql!("SELECT 1 FROM companies WHERE id = ?{}", lock).bind(company))?;
    for table in &TABLES {
        let rows = table.delete(storage, connection, company, MIN)?;
        if u32::try_from(rows).is_ok_and(|rows| rows == MIN) {
            return Ok(Some(DeletedRows { table: table.name, rows }));
        }
    }
    connection.execute(statement("DELETE FROM companies WHERE id = ?").bind(company))?;
    Ok(None)
}
