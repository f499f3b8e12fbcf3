//! The settings, each a flag and an environment variable.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use contact_hub_storage::{DatabaseUrl, ReplicaOptions, StorageOptions};
use contact_hub_web::{MAX_WORKERS, MetricsAccess};
use url::Url;

use crate::adapters::Quotas;
use crate::backup_settings::BackupSettings;
use crate::database_address::DatabaseAddress;
use crate::edge_settings::EdgeSettings;
use crate::limit_settings::LimitSettings;
use crate::logs::log_filter;
use crate::mail_settings::MailSettings;
use crate::oidc_settings::OidcSettings;
use crate::otlp_settings::OtlpSettings;
use crate::replica_settings::ReplicaSettings;
use crate::webhook_settings::WebhookSettings;
use crate::whole_number::whole_number;

/// How many days entries of the audit are kept by default.
pub const AUDIT_RETENTION_DAYS: u32 = 400;

/// How many days entries of the change feed are kept by default.
pub const CHANGES_RETENTION_DAYS: u32 = 30;

/// The database without a flag or a variable.
pub(crate) const DEFAULT_DATABASE: &str = "sqlite://contact-hub.db";

/// The shortest token for the metrics.
const MIN_METRICS_TOKEN: usize = 16;

/// The database. Every command takes these.
#[derive(Args, Clone, Debug)]
pub struct DatabaseSettings {
    /// Where the data is: `sqlite://<file>` or `postgres://<user>:<password>@<host>/<database>`
    #[arg(
        long,
        global = true,
        env = "CONTACT_HUB_DATABASE_URL",
        hide_env_values = true,
        default_value = DEFAULT_DATABASE,
        value_parser = DatabaseAddress
    )]
    pub database_url: DatabaseUrl,

    /// The address leads to a pooler that pools by transaction, such as `PgBouncer`: sessions are not configured, and the
    /// schema is not migrated
    #[arg(long, global = true, env = "CONTACT_HUB_DATABASE_POOLED")]
    pub database_pooled: bool,

    /// How many database connections may be open (on SQLite: readers beside the one writer)
    #[arg(long, global = true, env = "CONTACT_HUB_DATABASE_CONNECTIONS", default_value_t = 8,
          value_parser = whole_number::<u32>(1..=1000))]
    pub database_connections: u32,

    /// How many milliseconds a request waits for a connection, or for a database that does not answer, before it is
    /// answered with 503
    #[arg(long, global = true, env = "CONTACT_HUB_DATABASE_WAIT_MS", default_value_t = 3000,
          value_parser = whole_number::<u64>(1..=600_000))]
    pub database_wait_ms: u64,

    /// How many milliseconds a statement may run before it is cancelled and its request is answered with 503
    #[arg(long, global = true, env = "CONTACT_HUB_DATABASE_STATEMENT_MS", default_value_t = 20_000,
          value_parser = whole_number::<u64>(100..=600_000))]
    pub database_statement_ms: u64,
}

impl DatabaseSettings {
    /// The options for a storage without read replicas.
    #[must_use]
    pub fn storage_options(&self) -> StorageOptions {
        StorageOptions {
            url: self.database_url.clone(),
            pooled: self.database_pooled,
            connections: self.database_connections,
            wait: Duration::from_millis(self.database_wait_ms),
            statement: Duration::from_millis(self.database_statement_ms),
            replicas: ReplicaOptions::default(),
        }
    }
}

impl ServeSettings {
    /// How long entries of the audit are kept.
    pub(crate) fn audit_retention(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.audit_retention_days))
    }

    /// How long entries of the change feed are kept.
    pub(crate) fn changes_retention(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.changes_retention_days))
    }

    /// The rate limits of clients.
    #[must_use]
    pub const fn quotas(&self) -> Quotas {
        Quotas {
            standard: self.rate_limit_standard,
            bulk: self.rate_limit_bulk,
            pages: self.edge.rate_limit_pages,
        }
    }

    /// Who may read the metrics on the main listener; `None` when they are not served there.
    #[must_use]
    pub fn metrics_access(&self) -> Option<MetricsAccess> {
        match (&self.metrics_token, self.metrics_listen) {
            (Some(token), _) => Some(MetricsAccess::Token(token.clone())),
            (None, Some(_)) => None,
            (None, None) => Some(MetricsAccess::SameMachine),
        }
    }

    /// Rejects settings that contradict each other.
    pub fn check(&self, database: &DatabaseSettings) -> anyhow::Result<()> {
        self.replicas.options(&database.database_url)?;
        self.backups.check(&database.database_url)?;
        if self.listen.ip().is_unspecified() && self.public_url.is_none() {
            anyhow::bail!(
                "--public-url is required with --listen {}: clients cannot reach {}",
                self.listen,
                self.listen.ip()
            );
        }
        // Not a parser of clap, whose errors repeat the value.
        if self.metrics_token.as_deref().is_some_and(|token| !is_metrics_token(token)) {
            anyhow::bail!(
                "--metrics-token must have at least {MIN_METRICS_TOKEN} characters, all visible ASCII: no spaces and no \
                 line feed"
            );
        }
        self.oidc.providers()?;
        self.mail.mailer("").map(drop)
    }
}

/// How the service listens and behaves.
#[derive(Args, Clone, Debug)]
pub struct ServeSettings {
    /// The address to listen on; port 0 picks a free one
    #[arg(long, env = "CONTACT_HUB_LISTEN", default_value = "127.0.0.1:8080", value_parser = listen_address)]
    pub listen: SocketAddr,

    /// The URL under which clients reach the service [default: the address of --listen]
    #[arg(long, env = "CONTACT_HUB_PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<String>,

    /// A separate address for /metrics [default: the main address, only for programs on the same machine]
    #[arg(long, env = "CONTACT_HUB_METRICS_LISTEN", value_parser = listen_address)]
    pub metrics_listen: Option<SocketAddr>,

    /// A token of at least 16 visible ASCII characters that allows requests of /metrics on the main address
    #[arg(long, env = "CONTACT_HUB_METRICS_TOKEN", hide_env_values = true)]
    pub metrics_token: Option<String>,

    /// The file with the master key, 32 bytes in base64; with SQLite it is created if it does not exist, with
    /// PostgreSQL it is required
    #[arg(long, env = "CONTACT_HUB_SECRET_KEY_FILE")]
    pub secret_key_file: Option<PathBuf>,

    /// An origin whose pages may call the service, such as `https://app.example.com`; repeatable
    #[arg(long = "cors-origin", env = "CONTACT_HUB_CORS_ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub cors_origins: Vec<String>,

    /// How many calls a user may make in a minute, with any of its keys; 0 sets no limit
    #[arg(long, env = "CONTACT_HUB_RATE_LIMIT_STANDARD", default_value_t = 1000)]
    pub rate_limit_standard: u32,

    /// How many bulk calls a user may make in a minute, with any of its keys; 0 sets no limit
    #[arg(long, env = "CONTACT_HUB_RATE_LIMIT_BULK", default_value_t = 60)]
    pub rate_limit_bulk: u32,

    /// How many milliseconds the service waits at its start for a PostgreSQL that does not answer
    #[arg(long, env = "CONTACT_HUB_DATABASE_START_WAIT_MS", default_value_t = 60_000,
          value_parser = whole_number::<u64>(0..=3_600_000))]
    pub database_start_wait_ms: u64,

    /// Do not migrate the schema. An empty database is rejected; with an older schema the service is not ready until
    /// another process has migrated it
    #[arg(long, env = "CONTACT_HUB_NO_MIGRATE")]
    pub no_migrate: bool,

    /// Do not create a first company on an empty database
    #[arg(long, env = "CONTACT_HUB_NO_BOOTSTRAP")]
    pub no_bootstrap: bool,

    /// How many threads answer requests [default: one for each core, or for two cores if PostgreSQL is on the same machine]
    #[arg(long, env = "CONTACT_HUB_WORKERS",
          value_parser = whole_number::<u16>(1..=MAX_WORKERS.into()))]
    pub workers: Option<u16>,

    /// What is logged, in the syntax of tracing's filter, such as `info` or `warn,contact_hub=debug`
    #[arg(long, env = "CONTACT_HUB_LOG", default_value = "info,actix_server=warn,actix_http=off",
          value_parser = log_filter)]
    pub log: String,

    /// How many days entries of the change feed are kept
    #[arg(long, env = "CONTACT_HUB_CHANGES_RETENTION_DAYS", default_value_t = CHANGES_RETENTION_DAYS,
          value_parser = whole_number::<u32>(1..=3650))]
    pub changes_retention_days: u32,

    /// How many days entries of the audit are kept
    #[arg(long, env = "CONTACT_HUB_AUDIT_RETENTION_DAYS", default_value_t = AUDIT_RETENTION_DAYS,
          value_parser = whole_number::<u32>(1..=36_500))]
    pub audit_retention_days: u32,

    /// Proxies, limits and bounds.
    #[command(flatten)]
    pub edge: EdgeSettings,

    /// Read replicas.
    #[command(flatten)]
    pub replicas: ReplicaSettings,

    /// Limits.
    #[command(flatten)]
    pub limits: LimitSettings,

    /// Webhooks.
    #[command(flatten)]
    pub webhooks: WebhookSettings,

    /// Alerts.
    #[command(flatten)]
    pub mail: MailSettings,

    /// Single sign-on.
    #[command(flatten)]
    pub oidc: OidcSettings,

    /// Backups.
    #[command(flatten)]
    pub backups: BackupSettings,
    /// Traces.
    #[command(flatten)]
    pub otlp: OtlpSettings,
}

fn is_metrics_token(text: &str) -> bool {
    text.len() >= MIN_METRICS_TOKEN && text.bytes().all(|byte| byte.is_ascii_graphic())
}

pub(crate) fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let problem =
        |_error| "it must be an IP address with a port, such as 127.0.0.1:8080".to_owned();
    text.parse().map_err(problem)
}

fn origin(text: &str) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or("it must be an origin, such as https://app.example.com")?;
    let origin = url.origin().ascii_serialization();
    if origin != text {
        return Err(format!("it must be an origin without a path, such as {origin}"));
    }
    Ok(origin)
}

pub(crate) fn public_url(text: &str) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or("it must be an absolute http or https URL, such as https://hub.example")?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err("it must have no query and no fragment".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it must have no user name and no password".to_owned());
    }
    Ok(text.trim_end_matches('/').to_owned())
}
