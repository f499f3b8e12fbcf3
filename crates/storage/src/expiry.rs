//! Deletes what is kept for a time: entries of the change feed and of the audit, kept answers, challenges of passkeys,
//! counts of attempts, and figures of the overview.

use std::time::Duration;

use tokio::time::sleep;
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use crate::Storage;
use crate::access::delete_old_challenges;
use crate::changes;
use crate::company_walk::next_company;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::idempotency::delete_old_answers;
use crate::statement::sql;
use crate::units::{Reading, Writing};

/// How many rows one transaction deletes, so that transactions stay short.
pub(crate) const BATCH: u32 = 500;

/// The pause between two batches.
const REST: Duration = Duration::from_millis(50);

/// A table whose rows are deleted by their age.
trait Aged: Copy + Send + 'static {
    /// The table.
    fn name(self) -> &'static str;

    /// Deletes a company's oldest rows from before a moment, at most this many; returns how many there were.
    fn delete(
        self,
        connection: &mut Connection,
        company: CompanyId,
        before: Timestamp,
        limit: u32,
    ) -> Result<usize, Failure>;
}

/// The change feed, whose cursors expire.
#[derive(Clone, Copy)]
struct Changes;

impl Aged for Changes {
    fn name(self) -> &'static str {
        "changes"
    }

    fn delete(
        self,
        connection: &mut Connection,
        company: CompanyId,
        before: Timestamp,
        limit: u32,
    ) -> Result<usize, Failure> {
        changes::delete_old(connection, company, before, limit)
    }
}

/// The kept answers, which may be large.
#[derive(Clone, Copy)]
struct Answers;

impl Aged for Answers {
    fn name(self) -> &'static str {
        "kept_answers"
    }

    fn delete(
        self,
        connection: &mut Connection,
        company: CompanyId,
        before: Timestamp,
        limit: u32,
    ) -> Result<usize, Failure> {
        delete_old_answers(connection, company, before, limit)
    }
}

/// Any other table.
#[derive(Clone, Copy)]
struct Table {
    name: &'static str,
    /// The columns that identify a row of a company.
    key: &'static str,
    /// The condition on an old row.
    is_old: &'static str,
    /// The order of an index of the company: the oldest first.
    order: &'static str,
}

impl Aged for Table {
    fn name(self) -> &'static str {
        self.name
    }

    fn delete(
        self,
        connection: &mut Connection,
        company: CompanyId,
        before: Timestamp,
        limit: u32,
    ) -> Result<usize, Failure> {
        let delete = sql!(
            "DELETE FROM {name} WHERE company_id = ? AND ({key}) IN (SELECT {key} FROM {name} \
             WHERE company_id = ? AND {is_old} ORDER BY {order} LIMIT ?)",
            name = self.name,
            key = self.key,
            is_old = self.is_old,
            order = self.order,
        );
        let delete = delete.bind(company).bind(company).bind(before).bind(i64::from(limit));
        Ok(connection.execute(delete)?)
    }
}

const AUDIT: Table = Table {
    name: "audit",
    key: "position, ordinal",
    is_old: "at < ?",
    order: "at, position, ordinal",
};

const OUTCOMES: Table = Table {
    name: "delivery_outcomes",
    key: "webhook_id, hour",
    is_old: "hour < ?",
    order: "hour, webhook_id",
};

const CALL_COUNTS: Table = Table {
    name: "call_counts",
    key: "hour, instance_id",
    is_old: "hour < ?",
    order: "hour, instance_id",
};

const CONTACT_DAYS: Table =
    Table { name: "contact_days", key: "day", is_old: "day < ?", order: "day" };

const KEY_DAYS: Table =
    Table { name: "key_days", key: "key_id, day", is_old: "day < ?", order: "day, key_id" };

/// Deletes old rows of a database. A company whose rows cannot be deleted does not block the others.
#[derive(Clone)]
pub struct Expiry(Storage);

impl Storage {
    /// Deletes what is kept for a time, which a service does in the background.
    #[must_use]
    pub fn expiry(&self) -> Expiry {
        Expiry(self.clone())
    }

    /// Deletes rows in short transactions, with pauses, until one finds none; returns how many there were.
    pub(crate) async fn delete_in_batches(
        &self,
        writing: Writing,
        batch: impl Fn(&mut Connection) -> Result<usize, Failure> + Copy + Send + 'static,
    ) -> Result<usize, StoreError> {
        let mut deleted = 0;
        loop {
            let count = self.write_unrecorded(writing, batch).await?;
            if count == 0 {
                return Ok(deleted);
            }
            deleted += count;
            sleep(REST).await;
        }
    }
}

impl Expiry {
    /// Deletes the entries of the change feed from before a moment; returns how many there were. The cursors that point
    /// before the last one expire.
    pub async fn delete_changes(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete(Changes, before).await
    }

    /// Deletes the entries of the audit from before a moment; returns how many there were.
    pub async fn delete_audit(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete(AUDIT, before).await
    }

    /// Deletes the answers that were kept before a moment; returns how many there were.
    pub async fn delete_answers(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete(Answers, before).await
    }

    /// Deletes the counts of attempts of the hours before a moment; returns how many rows there were.
    pub async fn delete_outcomes(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete(OUTCOMES, before).await
    }

    /// Deletes the counts of calls of the hours before a moment; returns how many rows there were.
    pub async fn delete_call_counts(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete(CALL_COUNTS, before).await
    }

    /// Deletes the numbers of contacts of the days before a moment; returns how many there were.
    pub async fn delete_contact_days(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete(CONTACT_DAYS, before).await
    }

    /// Deletes the calls with keys of the days before a moment; returns how many rows there were.
    pub async fn delete_key_days(&self, before: Timestamp) -> Result<usize, StoreError> {
        self.delete(KEY_DAYS, before).await
    }

    /// Deletes the challenges of passkeys that were made before a moment; returns how many there were.
    pub async fn delete_challenges(&self, before: Timestamp) -> Result<usize, StoreError> {
        let batch =
            move |connection: &mut Connection| delete_old_challenges(connection, before, BATCH);
        self.0.delete_in_batches(Writing::Few, batch).await
    }

    async fn delete(&self, table: impl Aged, before: Timestamp) -> Result<usize, StoreError> {
        let (mut after, mut deleted) = (Uuid::nil(), 0);
        while let Some(company) = self.next(table, after).await? {
            match self.delete_of(company, table, before).await {
                Ok(count) => deleted += count,
                Err(error) => tracing::warn!(%error, %company, "old rows were not deleted"),
            }
            after = company.uuid();
        }
        Ok(deleted)
    }

    async fn next(&self, table: impl Aged, after: Uuid) -> Result<Option<CompanyId>, StoreError> {
        let unit = move |connection: &mut Connection| {
            next_company(connection, sql!("{} WHERE true", table.name()), after)
        };
        self.0.read(Reading::Few, unit).await
    }

    async fn delete_of(
        &self,
        company: CompanyId,
        table: impl Aged,
        before: Timestamp,
    ) -> Result<usize, StoreError> {
        let batch =
            move |connection: &mut Connection| table.delete(connection, company, before, BATCH);
        self.0.delete_in_batches(Writing::For(company), batch).await
    }
}
