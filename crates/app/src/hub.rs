//! A running service: its listener, threads and background tasks, and its shutdown.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use contact_hub_domain::access::{GiveBack, record_key_uses};
use contact_hub_domain::context::{AccessPorts, Ports};
use contact_hub_sender::{
    Heartbeat, QueueMetrics, Retention, Settling, Worker, WorkerOptions, WorkerPorts, WorkerSignal,
};
use contact_hub_storage::{DatabaseClock, DatabaseUrl, Storage, WriteAheadLog};
use contact_hub_web::{RenderMetrics, Stopping};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::master_key;
use crate::readiness::HubReadiness;
use crate::servers::{Served, Servers, bind};
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::telemetry;
use crate::webhook_settings::WebhookSettings;
use crate::wire::{Environment, Outbound, ports};

/// How often the uses of keys are recorded.
const KEY_USES_EVERY: Duration = Duration::from_secs(1);

/// How often the database's clock is read. Between readings a local timer is used, so this only corrects its drift.
const CLOCK_EVERY: Duration = Duration::from_secs(5);

/// How often the size of SQLite's write-ahead log is checked. A log that was not written to for this long is quiet.
const LOG_EVERY: Duration = Duration::from_secs(5);

/// How often unused quota is given back to other instances.
const QUOTA_EVERY: Duration = Duration::from_secs(1);

/// A running service.
pub struct Hub {
    /// The address bound.
    pub address: SocketAddr,
    /// The address under which clients reach it.
    pub public_url: String,
    /// Its ports.
    pub ports: Ports,
    /// Its storage.
    pub storage: Storage,
    servers: Servers,
    background: Option<Background>,
    stopping: Stopping,
}

/// Background tasks.
struct Background {
    /// Follows the database's clock.
    clock: Option<JoinHandle<()>>,
    /// Truncates SQLite's write-ahead log.
    log: Option<JoinHandle<()>>,
    key_uses: JoinHandle<()>,
    quota: JoinHandle<()>,
    worker: Worker,
    settling: Settling,
    retention: Retention,
    queue_metrics: QueueMetrics,
}

impl Hub {
    /// Binds the address and serves. The database must be migrated.
    pub fn start(
        database: &DatabaseSettings,
        settings: &ServeSettings,
        environment: &Environment,
    ) -> Result<Self> {
        let listener = bind(settings.listen)?;
        let address = listener.local_addr().context("the bound address is not known")?;
        let public_url = settings.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
        let storage = Storage::new(&database.storage_options(), Handle::current());
        let (environment, clock) = with_database_clock(environment, database, &storage);
        let environment = &environment;
        let key_file = settings.secret_key_file.as_deref();
        let keys =
            master_key::ensure(key_file, &database.database_url, environment.randomness.as_ref())?;
        let outbound = Outbound::new(environment, &keys, settings.webhooks.url_policy())?;
        let (limits, quotas) = (settings.limits.limits(), settings.quotas());
        let ports = ports(environment, limits, &storage, quotas, &outbound, &public_url);
        let metrics = telemetry::metrics()?;
        let heartbeat = Arc::<Heartbeat>::default();
        let render: RenderMetrics = Arc::new(move || metrics.render());
        let readiness = Arc::new(HubReadiness::new(storage.clone(), Arc::clone(&heartbeat)));
        let (servers, stopping) = {
            let served = Served { ports: &ports, public_url: &public_url, readiness, render };
            Servers::start(listener, settings, served)?
        };
        let background = environment.has_background.then(|| {
            Background::start(&ports, &settings.webhooks, outbound.signal, heartbeat, clock)
        });
        let background = background.map(|background| background.with_log_of(&storage));
        Ok(Self { address, public_url, ports, storage, servers, background, stopping })
    }

    /// Reports from now on that the service is not ready, while it still answers, so that a load balancer stops
    /// sending calls before the service stops.
    pub fn announce_stop(&self) {
        self.stopping.begin();
    }

    /// Stops accepting connections, finishes running requests, and ends the background tasks.
    pub async fn stop(self) -> Result<()> {
        // Each may take up to half a minute, which is also the limit for both, so they run together.
        let background = async {
            if let Some(background) = self.background {
                background.stop().await;
            }
        };
        tokio::join!(self.servers.stop(), background);
        if let Err(error) = record_key_uses(&self.ports.access).await {
            tracing::warn!(%error, "the last uses of keys were not recorded");
        }
        let now = self.ports.environment.clock.now();
        self.ports.access.rate_limiter.give_back(GiveBack::All, now).await;
        self.servers.ended().await
    }
}

impl Background {
    fn start(
        ports: &Ports,
        settings: &WebhookSettings,
        signal: Arc<WorkerSignal>,
        heartbeat: Arc<Heartbeat>,
        clock: Option<JoinHandle<()>>,
    ) -> Self {
        let work = WorkerPorts {
            queue: Arc::clone(&ports.deliveries),
            sender: Arc::clone(&ports.webhooks.sender),
            clock: Arc::clone(&ports.environment.clock),
            ids: Arc::clone(&ports.environment.ids),
            randomness: Arc::clone(&ports.environment.randomness),
        };
        let options =
            WorkerOptions { concurrency: settings.concurrency, schedule: settings.schedule() };
        let (queue, now) = (Arc::clone(&ports.deliveries), Arc::clone(&ports.environment.clock));
        Self {
            clock,
            log: None,
            key_uses: tokio::spawn(record_uses(ports.access.clone())),
            quota: tokio::spawn(give_back_quota(ports.access.clone())),
            settling: Settling::start(Arc::clone(&queue), Arc::clone(&signal)),
            worker: Worker::start(work, options, signal, heartbeat),
            queue_metrics: QueueMetrics::start(Arc::clone(&queue), Arc::clone(&now)),
            retention: Retention::start(queue, now, settings.retention()),
        }
    }

    fn with_log_of(self, storage: &Storage) -> Self {
        Self { log: storage.write_ahead_log().map(|log| tokio::spawn(keep_small(log))), ..self }
    }

    async fn stop(self) {
        self.key_uses.abort();
        self.quota.abort();
        if let Some(log) = self.log {
            log.abort();
        }
        drop((self.settling, self.retention, self.queue_metrics));
        self.worker.stop().await;
        if let Some(clock) = self.clock {
            clock.abort();
        }
    }
}

/// The environment with the clock that all instances share, and the task that updates it.
fn with_database_clock(
    environment: &Environment,
    database: &DatabaseSettings,
    storage: &Storage,
) -> (Environment, Option<JoinHandle<()>>) {
    let is_shared = matches!(database.database_url, DatabaseUrl::Postgres(_));
    if !is_shared || !environment.follows_database {
        return (environment.clone(), None);
    }
    let clock = DatabaseClock::new(Arc::clone(&environment.clock), &database.database_url);
    let clock = Arc::new(clock);
    let task = tokio::spawn(follow(Arc::clone(&clock), storage.clone()));
    (Environment { clock, ..environment.clone() }, Some(task))
}

async fn follow(clock: Arc<DatabaseClock>, storage: Storage) {
    let mut ticks = tokio::time::interval(CLOCK_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = clock.follow(&storage).await {
            tracing::debug!(%error, "the database's clock was not read");
        }
    }
}

async fn keep_small(mut log: WriteAheadLog) {
    let mut ticks = tokio::time::interval(LOG_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = log.truncate_when_quiet().await {
            tracing::debug!(%error, "the write-ahead log was not truncated");
        }
    }
}

async fn record_uses(ports: AccessPorts) {
    let mut ticks = tokio::time::interval(KEY_USES_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = record_key_uses(&ports).await {
            tracing::debug!(%error, "the uses of keys were not recorded; the next run retries");
        }
    }
}

async fn give_back_quota(ports: AccessPorts) {
    let mut ticks = tokio::time::interval(QUOTA_EVERY);
    loop {
        ticks.tick().await;
        let now = ports.environment.clock.now();
        ports.rate_limiter.give_back(GiveBack::Expired, now).await;
    }
}
