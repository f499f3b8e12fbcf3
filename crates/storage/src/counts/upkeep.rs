//! Applies the changes of all companies in the background.

use std::time::Duration;

use diesel::QueryableByName;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::apply::apply;
use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;
use crate::units::{Reading, Writing};

/// How many entries a batch of the background applies. On SQLite it blocks all other writes, so it is short.
const ENTRIES: i64 = 1500;

/// How many a writer applies when its company has too many.
const ENTRIES_OF_WRITER: i64 = 5000;

/// The pause after a batch is this many times as long as the batch, so that other work gets most of the database.
const REST: u32 = 3;

/// The shortest and the longest pause.
const LEAST_REST: Duration = Duration::from_millis(2);
const LONGEST_REST: Duration = Duration::from_secs(1);

#[derive(QueryableByName)]
struct Company {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
}

/// Applies changes of counts.
#[derive(Clone)]
pub struct CountUpkeep(Storage);

impl Storage {
    /// The upkeep of the counts, which a service runs in the background.
    #[must_use]
    pub fn count_upkeep(&self) -> CountUpkeep {
        CountUpkeep(self.clone())
    }

    /// Runs a unit that changes the company's counts. When too many changes wait, some are applied first.
    pub(crate) async fn write_counted<T: Send + 'static>(
        &self,
        company: CompanyId,
        what: impl Into<Writing>,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        while self.count_backlog().is_full(company) {
            self.apply_batch(company, ENTRIES_OF_WRITER).await?;
        }
        self.write(what, unit).await
    }

    /// Applies a batch; returns whether the company has more changes.
    async fn apply_batch(&self, company: CompanyId, entries: i64) -> Result<bool, StoreError> {
        let unit = move |connection: &mut Connection| apply(connection, company, entries);
        let applied = self.write(Writing::For(company), unit).await?;
        if applied.more {
            self.count_backlog().shrink(company, applied.size);
        } else {
            self.count_backlog().clear(company);
        }
        Ok(applied.more)
    }
}

impl CountUpkeep {
    /// Waits until changes were appended since the previous call.
    pub async fn grown(&self) {
        self.0.count_backlog().grown().await;
    }

    /// Applies all changes: a batch of each company in turn, until there are none left.
    pub async fn apply(&self) -> Result<(), StoreError> {
        let mut more = true;
        while std::mem::take(&mut more) {
            let mut after = Uuid::nil();
            while let Some(company) = self.next_company(after).await? {
                let started = Instant::now();
                more |= self.0.apply_batch(company, ENTRIES).await?;
                let rest = started.elapsed().saturating_mul(REST);
                sleep(rest.clamp(LEAST_REST, LONGEST_REST)).await;
                after = company.uuid();
            }
        }
        Ok(())
    }

    /// The next company that has changes, in the order of the ids.
    async fn next_company(&self, after: Uuid) -> Result<Option<CompanyId>, StoreError> {
        let unit = move |connection: &mut Connection| -> Result<Option<CompanyId>, Failure> {
            let text = "SELECT company_id FROM count_changes WHERE company_id > ? ORDER BY company_id LIMIT 1";
            let next: Option<Company> = connection.first(statement(text).bind(IdValue(after)))?;
            Ok(next.map(|next| CompanyId::new(next.company_id.0)))
        };
        self.0.read(Reading::Few, unit).await
    }
}
