//! A running service: its listener, threads and background tasks, and its shutdown.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result};
use contact_hub_domain::access::{GiveBack, record_failed_sign_ins, record_key_uses};
use contact_hub_domain::context::Ports;
use contact_hub_domain::overview::record_calls;
use contact_hub_sender::Heartbeat;
use contact_hub_storage::{DatabaseClock, DatabaseUrl, Storage, StorageOptions};
use contact_hub_web::{Readiness, RenderMetrics, Stopping};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::background::{self, Background, Given};
use crate::figures::watch_readiness;
use crate::master_key;
use crate::readiness::HubReadiness;
use crate::servers::{Served, Servers, bind};
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::telemetry;
use crate::wire::{Environment, Outbound, ports};
use crate::workers::workers;

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

impl Hub {
    /// Binds the address and serves. The database must be migrated.
    pub fn start(
        database: &DatabaseSettings,
        settings: &ServeSettings,
        environment: &Environment,
    ) -> Result<Self> {
        let storage = Self::storage(database, settings)?;
        Self::start_with(storage, database, settings, environment)
    }

    /// The storage of a service with these settings, which opens its connections when they are needed.
    pub fn storage(database: &DatabaseSettings, settings: &ServeSettings) -> Result<Storage> {
        // Done first, because a storage counts its connections in metrics.
        telemetry::metrics()?;
        let replicas = settings.replicas.options(&database.database_url)?;
        let options = StorageOptions { replicas, ..database.storage_options() };
        Ok(Storage::new(&options, Handle::current()))
    }

    /// As [`Self::start`], with a storage that may have open connections.
    pub fn start_with(
        storage: Storage,
        database: &DatabaseSettings,
        settings: &ServeSettings,
        environment: &Environment,
    ) -> Result<Self> {
        let metrics = telemetry::metrics()?;
        let listener = bind(settings.listen)?;
        let address = listener.local_addr().context("the bound address is not known")?;
        let public_url = settings.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
        let (environment, clock) = with_database_clock(environment, database, &storage);
        let environment = &environment;
        let key_file = settings.secret_key_file.as_deref();
        let keys =
            master_key::ensure(key_file, &database.database_url, environment.randomness.as_ref())?;
        let outbound = Outbound::new(
            environment,
            &keys,
            settings.webhooks.url_policy(),
            settings.mail.mailer(&public_url)?,
            settings.oidc.providers()?,
        )?;
        let (limits, quotas) = (settings.limits.limits(), settings.quotas());
        let ports = ports(environment, limits, &storage, quotas, &outbound, &public_url);
        let heartbeat = Arc::<Heartbeat>::default();
        telemetry::record_build(&database.database_url);
        let render: RenderMetrics = {
            let metrics = metrics.clone();
            Arc::new(move || telemetry::render(&metrics))
        };
        let readiness: Arc<dyn Readiness> =
            Arc::new(HubReadiness::new(storage.clone(), Arc::clone(&heartbeat)));
        let (servers, stopping) = {
            let readiness = Arc::clone(&readiness);
            let workers = workers(settings, database);
            let served =
                Served { ports: &ports, workers, public_url: &public_url, readiness, render };
            Servers::start(listener, settings, served)?
        };
        let backups = settings.backups.schedule(&database.database_url, &environment.clock);
        let background = environment.has_background.then(|| {
            let readiness = background::spawn(watch_readiness(readiness, stopping.clone()));
            let given = Given { outbound, heartbeat, clock, metrics, readiness, backups };
            Background::start(&ports, &storage, settings, given)
        });
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
        if let Err(error) = record_failed_sign_ins(&self.ports.access).await {
            tracing::warn!(%error, "the last failed sign-ins were not recorded");
        }
        if let Err(error) = record_calls(&self.ports.overview).await {
            tracing::warn!(%error, "the last counts of calls were not recorded");
        }
        let now = self.ports.environment.clock.now();
        self.ports.access.rate_limiter.give_back(GiveBack::All, now).await;
        if let Some(log) = self.storage.write_ahead_log()
            && let Err(error) = log.empty().await
        {
            tracing::warn!(%error, "the write-ahead log was not copied into the database file");
        }
        self.servers.ended().await
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
    let task = background::spawn(background::follow(Arc::clone(&clock), storage.clone()));
    (Environment { clock, ..environment.clone() }, Some(task))
}
