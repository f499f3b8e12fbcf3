//! Runs units of work: chooses the connections, the share of them, and the transaction.

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::connection_pool::{UnitOutcome, reading};
use crate::dialect::{
    begin_list_snapshot, begin_ordered_reads, begin_ordered_snapshot, begin_snapshot,
};
use crate::dispatch::OnDisconnect;
use crate::failure::Failure;
use crate::permits::Share;
use crate::recorded::Recorded;
use crate::transaction::{begin, begin_along_indexes, begin_claim, transaction};

/// How often a transaction is tried if others overtake it.
const MAX_ATTEMPTS: u32 = 10;

/// What a unit reads.
#[derive(Clone, Copy)]
pub(crate) enum Reading {
    /// Few rows. Each statement sees what is committed by then.
    Few,
    /// Few rows, with all statements in one snapshot.
    Snapshot,
    /// Few rows that lists must not delay: keys, sessions, readiness.
    Control,
    /// Rows of the delivery queue.
    Deliveries,
    /// Many rows of a company, within its share of the connections.
    Many(CompanyId),
    /// The same, with all statements in one snapshot, by indexes that the statements choose.
    List(CompanyId),
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
        if let Some(call) = self.call() {
            call.check_reads()?;
        }
        let pools = self.pools();
        let pool = match what {
            Reading::Control => &pools.control,
            Reading::Deliveries => &pools.delivery_reads,
            _ => &pools.readers,
        };
        let share = match what {
            Reading::Many(company)
            | Reading::List(company)
            | Reading::OrderedList(company)
            | Reading::OrderedMany(company) => Share::heavy(company),
            _ => Share::COMMON,
        };
        let unit = move |connection: &mut Connection| {
            let snapshot = match what {
                Reading::Snapshot => begin_snapshot(connection),
                Reading::List(_) => begin_list_snapshot(connection),
                Reading::OrderedList(_) => begin_ordered_snapshot(connection),
                Reading::OrderedMany(_) => begin_ordered_reads(connection),
                _ => return reading(unit(connection)),
            };
            let begun = connection.begin(snapshot).map_err(Failure::from);
            reading(begun.and_then(|()| transaction(connection, &unit)))
        };
        self.dispatch().run(pool, share, OnDisconnect::Cancel, unit).await
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

    /// Runs a unit that writes what neither the audit nor the feed records: leases and outcomes of deliveries, uses of
    /// keys and sessions, what was deferred or is too old, the deletion of a company with its audit, and what belongs to no
    /// company.
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
            Writing::For(company) => (&pools.writer, Share::of(company)),
            Writing::Many(company) => (&pools.writer, Share::heavy(company)),
            Writing::Deliveries | Writing::Claims | Writing::Outcomes => {
                (&pools.delivery_writes, Share::COMMON)
            }
        };
        let unit = move |connection: &mut Connection| {
            let mut attempts = 1;
            loop {
                if let Err(failure) = begin(connection) {
                    return UnitOutcome::NotBegun(failure);
                }
                match run(connection) {
                    Ok(value) => return UnitOutcome::Done(value),
                    Err(Failure::Overtaken) if attempts < MAX_ATTEMPTS => attempts += 1,
                    Err(failure) => return UnitOutcome::Failed(failure),
                }
            }
        };
        let written = self.dispatch().run(pool, share, OnDisconnect::Finish, unit).await?;
        if let Writing::Few | Writing::For(_) | Writing::Many(_) = what {
            self.note_write();
        }
        Ok(written)
    }
}
