//! One connection, to either database, and how it is opened.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use diesel::connection::{Instrumentation, InstrumentationEvent, SimpleConnection};
use diesel::deserialize::QueryableByName;
use diesel::pg::Pg;
use diesel::result::QueryResult;
use diesel::sqlite::Sqlite;
use diesel::{
    Connection as _, ConnectionError, ConnectionResult, PgConnection, RunQueryDsl, SqliteConnection,
};
use metrics::{Counter, counter};

use crate::statement::Statement;
use crate::{plans, private_file};

/// Where the data is: `sqlite://<file>` or `postgres://…`. Its `Display` hides the password.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// The path of the file.
    Sqlite(String),
    /// A libpq address.
    Postgres(String),
}

/// Why an address is none.
#[derive(Debug, thiserror::Error)]
#[error("the database URL must begin with sqlite:// or postgres://")]
pub struct DatabaseUrlError;

impl std::str::FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once("://") {
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.to_owned())),
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres(text.to_owned())),
            _ => Err(DatabaseUrlError),
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite://{path}"),
            Self::Postgres(url) => {
                let host = url.rsplit_once('@').map_or(url.as_str(), |(_, host)| host);
                let host = host.split_once("://").map_or(host, |(_, host)| host);
                write!(f, "postgres://{}", host.split('?').next().unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A connection to either database.
pub(crate) enum Connection {
    Postgres(Box<PgConnection>),
    Sqlite(Box<SqliteConnection>),
}

/// Settings of a session on PostgreSQL. A statement that takes longer is given up and answered as unavailable, and a
/// transaction whose client vanished does not keep its locks.
const POSTGRES_SESSION: &str = "SET TIME ZONE 'UTC'; SET statement_timeout = '20s'; SET lock_timeout = '10s'; \
     SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = 'warning'";

/// Settings of a connection to SQLite. `synchronous = FULL` makes an answered write survive a power cut.
const SQLITE_SESSION: &str = "PRAGMA busy_timeout = 10000; PRAGMA synchronous = FULL; \
     PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA mmap_size = 268435456";

/// How often the change to a write-ahead log is tried.
const MAX_WAL_ATTEMPTS: u32 = 50;

/// Changes a new database to a write-ahead log, in which it then stays. SQLite refuses this at once, without waiting for its
/// busy timeout, when another process opens the new database at the same time. So whoever is refused waits for a lock, which
/// does wait, and tries again.
fn keep_write_ahead_log(connection: &mut SqliteConnection) -> QueryResult<()> {
    let mut attempts = 1;
    loop {
        match connection.batch_execute("PRAGMA journal_mode = WAL") {
            Err(_) if attempts < MAX_WAL_ATTEMPTS => attempts += 1,
            outcome => return outcome,
        }
        connection.batch_execute("BEGIN IMMEDIATE; COMMIT")?;
    }
}

impl Connection {
    /// Opens a connection whose statements are counted.
    pub(crate) fn open(url: &DatabaseUrl, statements: &Arc<AtomicU64>) -> ConnectionResult<Self> {
        let mut connection = match url {
            DatabaseUrl::Sqlite(path) => {
                private_file::create(path);
                Self::Sqlite(Box::new(SqliteConnection::establish(path)?))
            }
            DatabaseUrl::Postgres(url) => {
                Self::Postgres(Box::new(PgConnection::establish(&bounded(url))?))
            }
        };
        let session = match &connection {
            Self::Postgres(_) => POSTGRES_SESSION,
            Self::Sqlite(_) => SQLITE_SESSION,
        };
        connection.batch(session).map_err(ConnectionError::CouldntSetupConfiguration)?;
        if let Self::Sqlite(connection) = &mut connection {
            keep_write_ahead_log(connection).map_err(ConnectionError::CouldntSetupConfiguration)?;
        }
        let counter = StatementCounter {
            statements: Arc::clone(statements),
            metric: counter!("contact_hub_db_statements_total"),
        };
        match &mut connection {
            Self::Postgres(connection) => connection.set_instrumentation(counter),
            Self::Sqlite(connection) => connection.set_instrumentation(counter),
        }
        Ok(connection)
    }

    /// Runs statements that return nothing and bind nothing.
    pub(crate) fn batch(&mut self, text: &str) -> QueryResult<()> {
        match self {
            Self::Postgres(connection) => connection.batch_execute(text),
            Self::Sqlite(connection) => connection.batch_execute(text),
        }
    }

    /// Every row of a statement.
    pub(crate) fn rows<R>(&mut self, statement: Statement) -> QueryResult<Vec<R>>
    where
        R: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        plans::note(self, &statement);
        match self {
            Self::Postgres(connection) => statement.load(connection.as_mut()),
            Self::Sqlite(connection) => statement.load(connection.as_mut()),
        }
    }

    /// The first row of a statement, if there is one.
    pub(crate) fn first<R>(&mut self, statement: Statement) -> QueryResult<Option<R>>
    where
        R: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        Ok(self.rows(statement)?.into_iter().next())
    }

    /// How many rows a statement touched.
    pub(crate) fn execute(&mut self, statement: Statement) -> QueryResult<usize> {
        plans::note(self, &statement);
        match self {
            Self::Postgres(connection) => statement.execute(connection.as_mut()),
            Self::Sqlite(connection) => statement.execute(connection.as_mut()),
        }
    }

    /// Whether the other side still answers.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.batch("SELECT 1").is_ok()
    }
}

/// Bounds how long opening a connection may take and how long a dead peer goes unnoticed, unless the address says so.
fn bounded(url: &str) -> String {
    let mut url = url.to_owned();
    for (name, value) in [("connect_timeout", "5"), ("tcp_user_timeout", "15000")] {
        if !url.contains(&format!("{name}=")) {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.extend([name, "=", value]);
        }
    }
    url
}

struct StatementCounter {
    statements: Arc<AtomicU64>,
    metric: Counter,
}

impl Instrumentation for StatementCounter {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if matches!(event, InstrumentationEvent::StartQuery { .. }) && !plans::is_explaining() {
            self.statements.fetch_add(1, Ordering::Relaxed);
            self.metric.increment(1);
        }
    }
}

/// Opens the connections of a pool. When one is found dead, all that were opened before it are dropped at their next
/// check-out; that needs no round trip, so a check-out costs nothing.
pub(crate) struct Manager {
    pub(crate) url: DatabaseUrl,
    pub(crate) statements: Arc<AtomicU64>,
    pub(crate) generation: Generation,
}

/// Counts how often a connection was found dead.
#[derive(Clone, Default)]
pub(crate) struct Generation(Arc<AtomicU64>);

impl Generation {
    /// Drops this connection and all that were opened before it.
    pub(crate) fn give_up(&self, pooled: &Pooled) {
        self.0.fetch_max(pooled.generation + 1, Ordering::Relaxed);
    }

    fn current(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection with the generation in which it was opened.
pub(crate) struct Pooled {
    pub(crate) connection: Connection,
    generation: u64,
}

/// Why a pooled connection is not handed out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PooledError {
    #[error(transparent)]
    Open(#[from] ConnectionError),
    #[error("the connection was opened before another was found dead")]
    Outdated,
}

impl r2d2::ManageConnection for Manager {
    type Connection = Pooled;
    type Error = PooledError;

    fn connect(&self) -> Result<Pooled, PooledError> {
        let generation = self.generation.current();
        let connection = Connection::open(&self.url, &self.statements)?;
        Ok(Pooled { connection, generation })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), PooledError> {
        if self.has_broken(pooled) { Err(PooledError::Outdated) } else { Ok(()) }
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        pooled.generation < self.generation.current()
    }
}

/// A pool of this many connections. None is opened ahead, so an unreachable database is told when it is asked for.
pub(crate) fn pool(manager: Manager, size: u32, wait: Duration) -> r2d2::Pool<Manager> {
    r2d2::Pool::builder()
        .max_size(size)
        .min_idle(Some(0))
        .idle_timeout(None)
        .max_lifetime(None)
        .test_on_check_out(true)
        .connection_timeout(wait)
        .error_handler(Box::new(LogAtDebug))
        .build_unchecked(manager)
}

/// A failed attempt to connect is told by the request that needed it; the pool's own retries are only of interest when
/// someone looks closer.
#[derive(Debug)]
struct LogAtDebug;

impl r2d2::HandleError<PooledError> for LogAtDebug {
    fn handle_error(&self, error: PooledError) {
        tracing::debug!(%error, "a database connection was not opened");
    }
}
