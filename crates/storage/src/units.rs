//! Runs units of work: chooses the server, the connections, the share of them, and the transaction.

use std::sync::Arc;

use tokio::time::Instant;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::connections::pool::{UnitOutcome, reading};
use crate::connections::server::Server;
use crate::dialect::{
    BEGIN_LIST_ON_CLUSTER, LIST_SETTINGS_ON_CLUSTER, begin_list_snapshot, begin_ordered_reads,
    begin_ordered_snapshot, begin_prepared_list_snapshot, begin_snapshot,
};
use crate::dispatch::OnDisconnect;
use crate::failure::Failure;
use crate::permits::Share;
use crate::recorded::Recorded;
use crate::replicas::count_read;
use crate::transaction::{begin, begin_along_indexes, begin_claim, begin_shared, transaction};

/// How often a transaction is tried if others overtake it.
const MAX_ATTEMPTS: u32 = 10;

/// How often a transaction may be the victim of a deadlock. Each takes PostgreSQL's `deadlock_timeout`, a second by default.
const MAX_DEADLOCKS: u32 = 3;

/// What a unit reads.
#[derive(Clone, Copy)]
pub(crate) enum Reading {
    /// Few rows. Each statement sees what is committed by then.
    Few,
    /// Few rows, with all statements in one snapshot.
    Snapshot,
    /// Few rows of a company; permits go to companies in round-robin. Each statement sees what is committed by then.
    For(CompanyId),
    /// The same, with all statements in one snapshot.
    SnapshotFor(CompanyId),
    /// Few rows that lists must not delay: keys, sessions, readiness.
    Control,
    /// Rows of the delivery queue.
    Deliveries,
    /// Many rows of a company, within its share of the connections.
    Many(CompanyId),
    /// The same, with all statements in one snapshot, by indexes that the statements choose.
    List(CompanyId),
    /// The same, with one plan for each statement, regardless of its values.
    PreparedList(CompanyId),
    /// As [`Self::List`], on the node of a cluster that has the company.
    ListOnCluster(CompanyId),
    /// The same, in the order of an index.
    OrderedList(CompanyId),
    /// The same, in the order of an index, but on PostgreSQL each statement sees what is committed by then.
    OrderedMany(CompanyId),
}

/// What a unit writes.
#[derive(Clone, Copy)]
pub(crate) enum Writing {
    /// Few rows.
    Few,
    /// Few rows of a company; permits go to companies in round-robin.
    For(CompanyId),
    /// The same for several calls at once, none of which waits long for locks.
    Shared(CompanyId),
    /// Many rows of a company, within its share of the connections.
    Many(CompanyId),
    /// Rows of the delivery queue.
    Deliveries,
    /// Leases of deliveries. If the database crashes, the latest may be lost: then the deliveries are due again at
    /// once, as they are when the instance crashes.
    Claims,
    /// Outcomes of attempts.
    Outcomes,
}

impl Reading {
    /// The share of the connections that it gets.
    const fn share(self) -> Share {
        match self {
            Self::Many(company)
            | Self::List(company)
            | Self::PreparedList(company)
            | Self::ListOnCluster(company)
            | Self::OrderedList(company)
            | Self::OrderedMany(company) => Share::heavy(company),
            Self::For(company) | Self::SnapshotFor(company) => Share::of(company),
            Self::Few | Self::Snapshot | Self::Control | Self::Deliveries => Share::COMMON,
        }
    }

    /// Runs a unit in the transaction that it needs.
    fn run<T>(
        self,
        connection: &mut Connection,
        unit: impl FnOnce(&mut Connection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let snapshot = match self {
            Self::Snapshot | Self::SnapshotFor(_) => begin_snapshot(connection),
            Self::List(_) => begin_list_snapshot(connection),
            Self::PreparedList(_) => begin_prepared_list_snapshot(connection),
            Self::ListOnCluster(_) => BEGIN_LIST_ON_CLUSTER,
            Self::OrderedList(_) => begin_ordered_snapshot(connection),
            Self::OrderedMany(_) => begin_ordered_reads(connection),
            Self::Few | Self::For(_) | Self::Control | Self::Deliveries | Self::Many(_) => {
                return unit(connection);
            }
        };
        connection.begin(snapshot)?;
        transaction(connection, |connection| {
            if let Self::ListOnCluster(_) = self {
                connection.batch(LIST_SETTINGS_ON_CLUSTER)?;
            }
            unit(connection)
        })
    }
}

impl From<CompanyId> for Writing {
    fn from(company: CompanyId) -> Self {
        Self::For(company)
    }
}

impl Storage {
    /// Runs a unit that only reads.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        what: Reading,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_by(self.dispatch().deadline(), what, unit).await
    }

    /// As [`Self::read`], on the primary or on a read replica that has everything that was committed before. Where a
    /// replica fails, the primary takes the call. For reads that no write depends on.
    pub(crate) async fn read_anywhere<T: Send + 'static>(
        &self,
        what: Reading,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let (began, end) = (Instant::now(), self.dispatch().deadline());
        let unit = Arc::new(unit);
        if let Some(replicas) = self.replicas() {
            let unit = Arc::clone(&unit);
            let run = move |connection: &mut Connection| what.run(connection, &*unit);
            match replicas.read(self, what.share(), run).await {
                Ok(value) => return Ok(value),
                // The primary would need as long for a slow statement.
                Err(Some(slow)) if began.elapsed() >= self.dispatch().statement => {
                    return Err(slow);
                }
                Err(_) => count_read(Server::Primary),
            }
        }
        self.read_by(end, what, move |connection| unit(connection)).await
    }

    /// As [`Self::read`], for a call that must have ended by `end`.
    async fn read_by<T: Send + 'static>(
        &self,
        end: Instant,
        what: Reading,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        if let Some(call) = self.call() {
            call.check_reads()?;
        }
        let pools = self.pools();
        let pool = match what {
            Reading::Control => &pools.control,
            Reading::Deliveries => &pools.delivery_reads,
            _ => &pools.readers,
        };
        let unit = move |connection: &mut Connection| reading(what.run(connection, &unit));
        self.dispatch().run_until(end, pool, what.share(), OnDisconnect::Cancel, unit).await
    }

    /// Runs statements on the rate limits, each a transaction by itself. They must be harmless to repeat.
    pub(crate) async fn write_limits<T: Send + 'static>(
        &self,
        statements: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let unit = move |connection: &mut Connection| reading(statements(connection));
        self.dispatch().run(&self.pools().limits, Share::COMMON, OnDisconnect::Cancel, unit).await
    }

    /// Runs a unit that changes something that is recorded, in one transaction.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        what: impl Into<Writing>,
        unit: impl Fn(&mut Connection) -> Result<Recorded<T>, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let unit = move |connection: &mut Connection| unit(connection).map(Recorded::into_outcome);
        self.write_unrecorded(what, unit).await
    }

    /// Runs a unit whose writes neither the audit nor the feed records: leases and outcomes of deliveries, uses of keys
    /// and sessions, deferred work, the deletion of old rows, the deletion of a company with its audit, and rows that
    /// belong to no company.
    pub(crate) async fn write_unrecorded<T: Send + 'static>(
        &self,
        what: impl Into<Writing>,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let what = what.into();
        if let Some(call) = self.call() {
            return call.write(&self.beside_calls(), what, unit).await;
        }
        let begin = match what {
            Writing::Shared(_) => begin_shared,
            Writing::Claims => begin_claim,
            Writing::Outcomes => begin_along_indexes,
            _ => begin,
        };
        self.write_until(what, begin, move |connection| transaction(connection, &unit)).await
    }

    /// Runs a transaction, and retries it when others overtake it.
    pub(crate) async fn write_until<T: Send + 'static>(
        &self,
        what: Writing,
        begin: fn(&mut Connection) -> Result<(), Failure>,
        run: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let pools = self.pools();
        let (pool, share) = match what {
            Writing::Few => (&pools.writer, Share::COMMON),
            Writing::For(company) | Writing::Shared(company) => (&pools.writer, Share::of(company)),
            Writing::Many(company) => (&pools.writer, Share::heavy(company)),
            Writing::Deliveries | Writing::Claims | Writing::Outcomes => {
                (&pools.delivery_writes, Share::COMMON)
            }
        };
        let unit = move |connection: &mut Connection| {
            let (mut attempts, mut deadlocks) = (1, 0);
            loop {
                if let Err(failure) = begin(connection) {
                    return UnitOutcome::NotBegun(failure);
                }
                match run(connection) {
                    Ok(value) => return UnitOutcome::Done(value),
                    Err(Failure::Overtaken) if attempts < MAX_ATTEMPTS => attempts += 1,
                    Err(failure) if failure.is_deadlock() && deadlocks < MAX_DEADLOCKS => {
                        deadlocks += 1;
                    }
                    Err(failure) => return UnitOutcome::Failed(failure),
                }
            }
        };
        let written = self.dispatch().run(pool, share, OnDisconnect::Finish, unit).await?;
        self.note_commit();
        if let Writing::Few | Writing::For(_) | Writing::Shared(_) | Writing::Many(_) = what {
            self.note_write();
        }
        Ok(written)
    }
}
