//! Fills a database with deliveries that wait for one webhook, and waits until all rows of bulk changes are rewritten.
//! A running service may use the database at the same time.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::{Parser, Subcommand};
use diesel::connection::SimpleConnection as _;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, PgConnection, QueryableByName, RunQueryDsl as _, SqliteConnection};
use uuid::Uuid;

/// How many deliveries one transaction writes, so that the service can write in between.
const BATCH: u32 = 10_000;

/// How often to check whether all rows are rewritten.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// About the size of the payload of a sync event.
const PAYLOAD: &str = r#"{"event":"syncRequested","timestamp":"2026-01-01T00:00:00Z","asset":{"id":"018cc251-f400-7000-8000-000000000000","name":"Sale","type":"email"},"integration":{"id":"018cc251-f400-7000-8000-000000000000","name":"Platform"},"content_url":"https://hub.example/api/platform/v1/assets/018cc251-f400-7000-8000-000000000000"}"#;

/// Deliveries that wait for a webhook.
#[derive(Parser)]
#[command(name = "backlog")]
struct Options {
    /// Where the data is: `sqlite://<file>` or `postgres://<user>:<password>@<host>/<database>`
    #[arg(long, global = true, default_value = "sqlite://contact-hub.db")]
    database_url: String,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Write deliveries that are due, each with a separate event
    Fill {
        /// The webhook's id
        #[arg(long)]
        webhook: Uuid,
        /// The number of deliveries
        #[arg(long)]
        count: u32,
    },
    /// Wait until no change of many deliveries is unfinished
    Settled {
        /// The maximum number of seconds to wait
        #[arg(long, default_value_t = 3600)]
        seconds: u64,
    },
}

enum Database {
    Postgres(PgConnection),
    Sqlite(SqliteConnection),
}

fn main() -> Result<()> {
    let options = Options::parse();
    let mut database = Database::open(&options.database_url)?;
    match options.what {
        What::Fill { webhook, count } => fill(&mut database, webhook, count),
        What::Settled { seconds } => wait(&mut database, Duration::from_secs(seconds)),
    }
}

impl Database {
    fn open(url: &str) -> Result<Self> {
        let Some(file) = url.strip_prefix("sqlite://") else {
            return Ok(Self::Postgres(PgConnection::establish(url)?));
        };
        let mut connection = SqliteConnection::establish(file)?;
        connection.batch_execute(
            "PRAGMA busy_timeout = 60000; PRAGMA synchronous = OFF; PRAGMA cache_size = -131072",
        )?;
        Ok(Self::Sqlite(connection))
    }

    fn execute(&mut self, text: &str) -> Result<()> {
        match self {
            Self::Postgres(connection) => {
                connection.batch_execute(&format!("BEGIN; {text} COMMIT;"))?;
            }
            Self::Sqlite(connection) => {
                connection.batch_execute(&format!("BEGIN IMMEDIATE; {text} COMMIT;"))?;
            }
        }
        Ok(())
    }

    fn number(&mut self, text: &str) -> Result<i64> {
        let query = diesel::sql_query(text);
        let row: NumberRow = match self {
            Self::Postgres(connection) => query.get_result(connection)?,
            Self::Sqlite(connection) => query.get_result(connection)?,
        };
        Ok(row.number)
    }
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

fn fill(database: &mut Database, webhook: Uuid, count: u32) -> Result<()> {
    for first in (0..count).step_by(usize::try_from(BATCH)?) {
        let last = count.min(first.saturating_add(BATCH));
        let text = batch(database, webhook, first + 1, last);
        database.execute(&text).context("the deliveries are not written")?;
    }
    let held = match database {
        Database::Postgres(_) => format!("'{webhook}'"),
        Database::Sqlite(_) => format!("x'{}'", webhook.simple()),
    };
    let written = format!("SELECT count(*) AS number FROM deliveries WHERE webhook_id = {held}");
    let written = database.number(&written)?;
    ensure!(written >= i64::from(count), "the webhook does not exist, or others delete deliveries");
    Ok(())
}

/// The events and deliveries with these numbers. Their ids increase with time, like those of the service.
fn batch(database: &Database, webhook: Uuid, first: u32, last: u32) -> String {
    let (numbers, id, held, now) = match database {
        Database::Postgres(_) => (
            format!("SELECT i FROM generate_series({first}, {last}) AS n (i)"),
            "(lpad(to_hex(CAST(extract(epoch FROM now()) * 1000 AS bigint)), 12, '0') || '7' \
             || lpad(to_hex(n.i / 4096), 3, '0') || '8' || lpad(to_hex(n.i), 15, '0'))::uuid",
            format!("'{webhook}'"),
            "now()",
        ),
        Database::Sqlite(_) => (
            format!(
                "WITH RECURSIVE n (i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT i FROM n"
            ),
            "unhex(printf('%012x7%03x8%015x', unixepoch() * 1000, n.i / 4096, n.i))",
            format!("x'{}'", webhook.simple()),
            "unixepoch() * 1000000",
        ),
    };
    format!(
        "CREATE TEMPORARY TABLE queued AS SELECT {id} AS id FROM ({numbers}) AS n; \
         INSERT INTO events (id, company_id, kind, payload, created_at) \
         SELECT queued.id, webhooks.company_id, 'syncRequested', '{PAYLOAD}', {now} \
         FROM queued JOIN webhooks ON webhooks.id = {held}; \
         INSERT INTO deliveries (id, company_id, event_id, webhook_id, kind, state, trigger, attempts, retries, generation, \
         due_at, created_at, updated_at) SELECT queued.id, webhooks.company_id, queued.id, webhooks.id, 'syncRequested', \
         'pending', 'scheduled', 0, 0, webhooks.generation, {now}, {now}, {now} \
         FROM queued JOIN webhooks ON webhooks.id = {held}; DROP TABLE queued;"
    )
}

fn wait(database: &mut Database, patience: Duration) -> Result<()> {
    let unfinished =
        "SELECT (SELECT count(*) FROM settlements) + (SELECT count(*) FROM erasures) AS number";
    let (never, end) = (mpsc::channel::<()>(), Instant::now() + patience);
    while database.number(unfinished)? > 0 {
        ensure!(
            Instant::now() < end,
            "changes of many deliveries are unfinished after {patience:?}"
        );
        // Just a pause: nothing is ever sent on the channel.
        never.1.recv_timeout(LOOK_EVERY).ok();
    }
    Ok(())
}
