//! The database's clock.
//!
//! Instances share a database, but their own clocks may differ. Times that they compare with each other, such as due
//! times and leases, therefore come from one clock. On PostgreSQL that is the database's: it is read periodically,
//! and the time since the last reading is measured by a monotonic timer. On SQLite all instances run on one host and
//! use its clock.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use contact_hub_domain::ports::{Clock, StoreError};
use contact_hub_domain::time::Timestamp;
use diesel::QueryableByName;

use crate::Storage;
use crate::columns::{Moment, MomentValue};
use crate::connection::Connection;
use crate::connections::url::DatabaseUrl;
use crate::failure::Failure;
use crate::migrate;
use crate::statement::statement;
use crate::units::Reading;

/// A reading that took longer is too inexact to replace an earlier one.
const EXACT_ENOUGH: Duration = Duration::from_millis(500);

/// A clock that follows the database's, and the host's until the first reading.
pub struct DatabaseClock {
    host: Arc<dyn Clock>,
    read: RwLock<Option<(Timestamp, Instant)>>,
}

#[derive(QueryableByName)]
struct NowRow {
    #[diesel(sql_type = Moment)]
    now: MomentValue,
}

impl DatabaseClock {
    /// Reads the database's clock over a separate connection; uses the host's clock if that fails.
    #[must_use]
    pub fn new(host: Arc<dyn Clock>, url: &DatabaseUrl) -> Self {
        let clock = Self { host, read: RwLock::default() };
        let started = Instant::now();
        let now = migrate::open(url)
            .and_then(|mut connection| now(&mut connection).map_err(Failure::into_store_error));
        match now {
            Ok(Some(now)) => clock.set(now, started),
            Ok(None) => {}
            Err(error) => tracing::debug!(%error, "the database's clock was not read"),
        }
        clock
    }

    /// Reads the database's clock again.
    pub async fn follow(&self, storage: &Storage) -> Result<(), StoreError> {
        let started = Instant::now();
        if let Some(now) = storage.read(Reading::Control, now).await? {
            self.set(now, started);
        }
        Ok(())
    }

    fn set(&self, now: Timestamp, started: Instant) {
        let took = started.elapsed();
        let mut read = self.read.write().unwrap_or_else(PoisonError::into_inner);
        if read.is_none() || took <= EXACT_ENOUGH {
            *read = Some((now.plus(took / 2), Instant::now()));
        }
    }
}

impl Clock for DatabaseClock {
    fn now(&self) -> Timestamp {
        match *self.read.read().unwrap_or_else(PoisonError::into_inner) {
            Some((read, at)) => read.plus(at.elapsed()),
            None => self.host.now(),
        }
    }
}

/// The database's time; `None` when the host's clock is used.
pub(crate) fn now(connection: &mut Connection) -> Result<Option<Timestamp>, Failure> {
    match connection {
        Connection::Postgres(_) => {
            let row: Option<NowRow> =
                connection.first(statement("SELECT clock_timestamp() AS now"))?;
            Ok(row.map(|row| row.now.0))
        }
        Connection::Sqlite(_) => Ok(None),
    }
}
