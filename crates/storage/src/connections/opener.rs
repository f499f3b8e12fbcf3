//! Opens connections, and configures their sessions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use diesel::connection::{Instrumentation, InstrumentationEvent, SimpleConnection};
use diesel::dsl::sql;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Bool, Integer, Text};
use diesel::{Connection as _, ConnectionError, RunQueryDsl, SqliteConnection};
use metrics::{Counter, counter};

use contact_hub_database_tls::RouteError;
use contact_hub_sqlite_interrupt::with_interrupt;

use super::bounded::{BoundedRunner, NotDone};
use super::file::{DatabaseFile, FileMoved};
use super::interrupt::Interrupt;
use super::private_file;
use super::session::{Backend, Session, Sessions};
use super::tls::SharedRoute;
use super::url::{DatabaseUrl, parameters};
use crate::checkpoints::{COPIED_BY_WRITERS, LOG_BYTES};
use crate::connection::Connection;
use crate::plans;

/// Settings of a PostgreSQL session besides its time limits. A transaction whose client vanished is ended, which
/// releases its locks. A statement uses one processor, so that a connection is one share of the server, and is not
/// compiled: all statements are short, and compiling one takes up to 0.1 s.
const POSTGRES_SESSION: &str = "SET TIME ZONE 'UTC'; SET lock_timeout = '10s'; \
     SET idle_in_transaction_session_timeout = '15s'; SET max_parallel_workers_per_gather = 0; SET jit = off; \
     SET client_min_messages = 'warning'";

/// Reads the session's identity; `deadlock_timeout`, the shortest time after which the server may end a statement,
/// because it then checks for deadlocks; and whether the server is the coordinator of a cluster.
const POSTGRES_IDENTITY: &str = "pid, extract(epoch FROM backend_start)::text, \
     (SELECT setting::bigint FROM pg_settings WHERE name = 'deadlock_timeout'), \
     EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') \
     FROM pg_stat_activity WHERE pid = pg_backend_pid()";

/// Settings of a connection to SQLite. With `synchronous = FULL` an acknowledged write survives a power cut. The
/// write-ahead log is copied to the database beside the writers, and by them when it is large ([`COPIED_BY_WRITERS`]). A log
/// that has grown beyond that in a peak is truncated once all of it is in the database.
/// Deleted content is overwritten, and so are the unused bytes of pages ([`contact_hub_sqlite_files`]), so that the file
/// contains nothing that was erased. The file is not mapped into memory: each connection would map all that it reads, and
/// the operating system caches it anyway.
const SQLITE_SESSION: &str = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; \
     PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0";

/// The size of the pages of a new file, in bytes: half of SQLite's default. In a bulk, each value of a filterable field
/// changes another page, and each changed page is written to the log and to the file. An existing file keeps its size.
const SQLITE_PAGE: u32 = 2048;

/// The cache of a connection to SQLite, in KiB. A larger one makes neither reading nor bulks faster.
const SQLITE_CACHE: u32 = 4 << 10;
const SQLITE_CACHE_OF_WRITER: u32 = 8 << 10;

/// The pages that a transaction changes stay in the cache until its end, also beyond its size, up to this many KiB. Those
/// beyond are written more than once. They are freed at the commit.
const SQLITE_SPILL: u32 = 32 << 10;

/// Parameters of a PostgreSQL address, where it does not set them itself: how long opening may take, and how long a
/// dead peer goes unnoticed, with and without data in transit.
const POSTGRES_BOUNDS: [(&str, &str); 6] = [
    ("connect_timeout", "5"),
    ("tcp_user_timeout", "10000"),
    ("keepalives", "1"),
    ("keepalives_idle", "10"),
    ("keepalives_interval", "5"),
    ("keepalives_count", "3"),
];

/// The minimum time for opening a PostgreSQL session, including its settings; libpq's own limit covers only the
/// connecting. A longer configured wait replaces it: no call waits longer than that for a connection, and few
/// connections can be opened at the same time.
const MIN_OPENING: Duration = Duration::from_secs(2);

/// The time limits of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long a statement may run.
    pub(crate) statement: Duration,
    /// How long a call waits for a connection, and a statement of SQLite for another process's lock.
    pub(crate) wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { statement: Duration::from_secs(20), wait: Duration::from_secs(10) }
    }
}

/// Opens connections to one database.
#[derive(Clone)]
pub(crate) struct Opener {
    url: DatabaseUrl,
    route: SharedRoute,
    limits: Limits,
    sqlite_cache: u32,
    statements: Arc<AtomicU64>,
    file: Option<DatabaseFile>,
    sessions: Sessions,
    opening: Duration,
    threads: BoundedRunner,
    is_cluster: Arc<AtomicBool>,
    is_pooled: bool,
}

/// An open connection.
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    pub(crate) interrupt: Interrupt,
    /// A statement that fails sooner was not ended by a time limit of the server or as the victim of a deadlock.
    pub(crate) shortest_limit: Duration,
}

/// Why a connection was not opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Driver(#[from] ConnectionError),
    #[error(transparent)]
    Route(#[from] RouteError<ConnectionError>),
    #[error(transparent)]
    Moved(#[from] FileMoved),
    #[error("a connection was not opened: {0}")]
    NotDone(#[from] NotDone),
    #[error(transparent)]
    NotInstalled(#[from] contact_hub_sqlite_files::NotInstalled),
}

impl Opener {
    /// Statements of the connections are counted in `statements`.
    pub(crate) fn new(url: DatabaseUrl, limits: Limits, statements: Arc<AtomicU64>) -> Self {
        let file = match &url {
            DatabaseUrl::Sqlite(path) => Some(DatabaseFile::new(path)),
            DatabaseUrl::Postgres(_) => None,
        };
        Self {
            url,
            route: SharedRoute::default(),
            limits,
            sqlite_cache: SQLITE_CACHE,
            statements,
            file,
            sessions: Sessions::default(),
            opening: limits.wait.max(MIN_OPENING),
            threads: BoundedRunner::default(),
            is_cluster: Arc::default(),
            is_pooled: false,
        }
    }

    /// The same, through a pooler that gives each transaction any session: none is configured, cancelled or found lost.
    pub(crate) fn pooled(self, is_pooled: bool) -> Self {
        Self { is_pooled, ..self }
    }

    /// Whether the database is spread over the nodes of a cluster. Not known until the first connection is open.
    pub(crate) fn is_cluster(&self) -> bool {
        self.is_cluster.load(Ordering::Relaxed)
    }

    /// The SQLite file.
    pub(crate) const fn file(&self) -> Option<&DatabaseFile> {
        self.file.as_ref()
    }

    /// The open sessions of PostgreSQL.
    pub(crate) const fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// The same, with connections that must open within this time.
    pub(crate) fn opening_within(&self, limit: Duration) -> Self {
        let mut opener = self.clone();
        opener.opening = limit;
        // The thread of an abandoned connection ends soon after; libpq waits for at least two seconds.
        if let DatabaseUrl::Postgres(url) = &mut opener.url {
            let seconds = limit.as_secs().saturating_add(1).max(2);
            add(url, "connect_timeout", &seconds.to_string());
        }
        opener
    }

    /// The same for probes and cancels, whose statements and sessions are not among those of the service's work.
    pub(crate) fn uncounted(&self) -> Self {
        let (statements, sessions) = (Arc::default(), Sessions::default());
        Self { statements, sessions, threads: BoundedRunner::default(), ..self.clone() }
    }

    /// The same, with connections to SQLite that wait this long for another connection's lock.
    pub(crate) fn waiting_for_locks(&self, lock: Duration) -> Self {
        Self { limits: Limits { wait: lock, ..self.limits }, ..self.clone() }
    }

    /// The same, with connections to SQLite that may change many pages.
    pub(crate) fn of_writer(&self) -> Self {
        Self { sqlite_cache: SQLITE_CACHE_OF_WRITER, ..self.clone() }
    }

    /// Opens a connection that cannot be interrupted.
    pub(crate) fn open(&self) -> Result<Connection, OpenError> {
        Ok(self.open_session()?.connection)
    }

    /// Opens a connection whose statements can be interrupted.
    pub(crate) fn open_session(&self) -> Result<Opened, OpenError> {
        match &self.url {
            DatabaseUrl::Sqlite(path) => self.open_sqlite(path),
            DatabaseUrl::Postgres(url) => {
                let (opener, url) = (self.clone(), url.clone());
                Ok(self.threads.run(self.opening, move || opener.open_postgres(&url))??)
            }
        }
    }

    fn open_postgres(&self, url: &str) -> Result<Opened, OpenError> {
        let mut connection = self.route.establish(&bounded(url))?;
        let limit = self.limits.statement.as_millis();
        let configured =
            |outcome: QueryResult<()>| outcome.map_err(ConnectionError::CouldntSetupConfiguration);
        let configuration = format!("{POSTGRES_SESSION}; SET statement_timeout = {limit}");
        // A pooler keeps the session until the transaction ends.
        let session = if self.is_pooled { "BEGIN" } else { &configuration };
        configured(connection.batch_execute(session))?;
        let identity = sql::<(Integer, Text, BigInt, Bool)>(POSTGRES_IDENTITY);
        let (pid, started, deadlock_ms, is_cluster): (i32, String, i64, bool) =
            diesel::select(identity)
                .get_result(&mut connection)
                .map_err(ConnectionError::CouldntSetupConfiguration)?;
        if self.is_pooled {
            configured(connection.batch_execute("COMMIT"))?;
        }
        self.is_cluster.store(is_cluster, Ordering::Relaxed);
        let session = (!self.is_pooled).then(|| self.sessions.add(Backend { pid, started }));
        connection.set_instrumentation(self.counter(session.clone()));
        Ok(Opened {
            connection: Connection::Postgres(Box::new(connection)),
            interrupt: Interrupt::new(Arc::default(), session),
            shortest_limit: Duration::from_millis(deadlock_ms.unsigned_abs())
                .min(self.limits.statement),
        })
    }

    fn open_sqlite(&self, path: &str) -> Result<Opened, OpenError> {
        if let Some(file) = &self.file {
            file.check()?;
        }
        private_file::create(path);
        contact_hub_sqlite_files::install()?;
        let flag = Arc::new(AtomicBool::new(false));
        let mut connection = with_interrupt(&flag, || SqliteConnection::establish(path))?;
        let busy = self.limits.wait.as_millis();
        let cache = self.sqlite_cache;
        let session = format!(
            "PRAGMA busy_timeout = {busy}; PRAGMA page_size = {SQLITE_PAGE}; PRAGMA cache_size = -{cache}; \
             PRAGMA wal_autocheckpoint = {COPIED_BY_WRITERS}; \
             PRAGMA journal_size_limit = {LOG_BYTES}; PRAGMA cache_spill = -{SQLITE_SPILL}; {SQLITE_SESSION}"
        );
        connection.batch_execute(&session).map_err(ConnectionError::CouldntSetupConfiguration)?;
        use_write_ahead_log(&mut connection).map_err(ConnectionError::CouldntSetupConfiguration)?;
        if let Some(file) = &self.file {
            file.remember();
        }
        connection.set_instrumentation(self.counter(None));
        Ok(Opened {
            connection: Connection::Sqlite(Box::new(connection)),
            interrupt: Interrupt::new(flag, None),
            shortest_limit: self.limits.statement,
        })
    }

    fn counter(&self, session: Option<Arc<Session>>) -> StatementCounter {
        StatementCounter {
            session,
            statements: Arc::clone(&self.statements),
            metric: counter!("contact_hub_db_statements_total"),
        }
    }
}

/// How often the switch to a write-ahead log is tried.
const MAX_WAL_ATTEMPTS: u32 = 50;

/// Switches a new database to a write-ahead log, permanently. If another process opens the new database at the same
/// time, SQLite rejects the switch at once, without its busy timeout. Then this takes a write lock, for which SQLite
/// does wait, and retries.
fn use_write_ahead_log(connection: &mut SqliteConnection) -> QueryResult<()> {
    let mut attempts = 1;
    loop {
        match connection.batch_execute("PRAGMA journal_mode = WAL") {
            Err(_) if attempts < MAX_WAL_ATTEMPTS => attempts += 1,
            outcome => return outcome,
        }
        connection.batch_execute("BEGIN IMMEDIATE; COMMIT")?;
    }
}

/// Adds the missing bounds to the address.
fn bounded(url: &str) -> String {
    let mut url = url.to_owned();
    for (name, value) in POSTGRES_BOUNDS {
        add(&mut url, name, value);
    }
    url
}

/// Adds a parameter to an address, unless it has one of this name.
fn add(url: &mut String, name: &str, value: &str) {
    let given = parameters(url);
    let mut names =
        given.into_iter().flat_map(|it| it.split('&')).filter_map(|it| it.split_once('='));
    if names.any(|(given, _value)| given == name) {
        return;
    }
    url.push(if given.is_some() { '&' } else { '?' });
    url.extend([name, "=", value]);
}

struct StatementCounter {
    session: Option<Arc<Session>>,
    statements: Arc<AtomicU64>,
    metric: Counter,
}

impl Instrumentation for StatementCounter {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        let session = self.session.as_ref();
        match event {
            InstrumentationEvent::StartQuery { .. } => {
                session.inspect(|session| session.begin_statement());
                if !plans::is_explaining() {
                    self.statements.fetch_add(1, Ordering::Relaxed);
                    self.metric.increment(1);
                }
            }
            InstrumentationEvent::FinishQuery { .. } => {
                session.inspect(|session| session.end_statement());
            }
            _ => {}
        }
    }
}
