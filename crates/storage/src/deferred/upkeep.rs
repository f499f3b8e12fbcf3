//! Does the work that writers left.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::work;
use crate::Storage;
use crate::backlog::{Turn, Work};
use crate::company_walk::next_company;
use crate::connection::Connection;
use crate::counts::pending_size;
use crate::dispatch_error::DispatchError;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::units::{Reading, Writing};

/// The pause after a batch is this many times as long as the batch, so that other work gets most of the database.
const REST: u32 = 3;

/// The shortest and the longest pause.
const MIN_REST: Duration = Duration::from_millis(2);
const LONGEST_REST: Duration = Duration::from_secs(1);

/// A transaction may apply changes of counts of this size, in bytes of their documents.
const FEW: usize = 1 << 20;

/// The writes of a database that were left for later.
#[derive(Clone)]
pub struct DeferredWrites(Storage);

impl Storage {
    /// The writes that were left for later, which a service does in the background.
    #[must_use]
    pub fn deferred_writes(&self) -> DeferredWrites {
        DeferredWrites(self.clone())
    }

    /// Runs a unit that leaves work. When its company has much, some may be done first. While another writer does it,
    /// this one waits without a connection, as long as it would for one.
    pub(crate) async fn write_deferring<T: Send + 'static>(
        &self,
        company: CompanyId,
        what: impl Into<Writing>,
        unit: impl Fn(&mut Connection) -> Result<Recorded<T>, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let until = Instant::now() + self.dispatch().wait;
        loop {
            let shrunk = self.backlog().shrunk();
            match self.backlog().turn(company) {
                Turn::Continue => break,
                Turn::Help(help) => {
                    let (storage, units) = (self.beside_calls(), work::batch_of_writer(help.work));
                    storage.do_batch(help.work, company, units).await?;
                    if !help.is_urgent || Instant::now() >= until {
                        break;
                    }
                }
                Turn::Wait => {
                    timeout_at(until, shrunk).await.map_err(|_late| DispatchError::Busy)?;
                }
            }
        }
        self.write(what, unit).await
    }

    /// Applies changes of a company's counts in short batches until few are left, so that a transaction that applies the
    /// others is short. If its writers leave them as fast as they are applied, there may be as many left as they may leave.
    pub(crate) async fn apply_most_counts(&self, company: CompanyId) -> Result<(), StoreError> {
        let (storage, kind) = (self.beside_calls(), Work::Counts);
        let until = Instant::now() + self.dispatch().wait;
        loop {
            let pending = move |connection: &mut Connection| pending_size(connection, company);
            let pending = storage.read(Reading::For(company), pending).await?;
            let is_late = Instant::now() >= until;
            if pending <= FEW || is_late && pending <= kind.most() {
                return Ok(());
            }
            if is_late {
                return Err(DispatchError::Busy.into());
            }
            if !storage.do_batch(kind, company, work::batch_of_writer(kind)).await? {
                return Ok(());
            }
        }
    }

    /// Does a batch; returns whether the company has more.
    async fn do_batch(
        &self,
        kind: Work,
        company: CompanyId,
        units: u32,
    ) -> Result<bool, StoreError> {
        let storage = self.clone();
        let unit = move |connection: &mut Connection| {
            work::run(kind, &storage, connection, company, units)
        };
        let batch = self.write_unrecorded(Writing::For(company), unit).await?;
        self.backlog().shrink(kind, company, &batch);
        Ok(batch.has_more())
    }
}

impl DeferredWrites {
    /// Waits until work was left since the previous call.
    pub async fn grown(&self) {
        self.0.backlog().grown().await;
    }

    /// Does all work: a batch of each company in turn, until there is none left. A company whose batch fails does not
    /// block the others; the next call retries it.
    pub async fn run(&self) -> Result<(), StoreError> {
        let mut more = true;
        while std::mem::take(&mut more) {
            for kind in Work::ALL {
                more |= self.one_round(kind).await?;
            }
        }
        Ok(())
    }

    /// Does a batch of each company; returns whether any has more.
    async fn one_round(&self, kind: Work) -> Result<bool, StoreError> {
        let (mut after, mut more) = (Uuid::nil(), false);
        while let Some(company) = self.next_company(kind, after).await? {
            let started = Instant::now();
            match self.0.do_batch(kind, company, work::batch(kind)).await {
                Ok(has_more) => more |= has_more,
                Err(error) => {
                    tracing::warn!(%error, ?kind, %company, "a batch of deferred writes failed");
                }
            }
            let rest = started.elapsed().saturating_mul(REST);
            sleep(rest.clamp(MIN_REST, LONGEST_REST)).await;
            after = company.uuid();
        }
        Ok(more)
    }

    /// The next company that has such work, in the order of the ids.
    async fn next_company(&self, kind: Work, after: Uuid) -> Result<Option<CompanyId>, StoreError> {
        let unit = move |connection: &mut Connection| -> Result<Option<CompanyId>, Failure> {
            let Some(rows) = work::rows(kind, connection) else { return Ok(None) };
            next_company(connection, rows, after)
        };
        self.0.read(Reading::Few, unit).await
    }
}
