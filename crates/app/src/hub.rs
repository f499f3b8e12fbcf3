//! A running service: its listener, its threads, its background work, its end.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::{HttpServer, web};
use anyhow::{Context, Result};
use contact_hub_domain::access::record_key_uses;
use contact_hub_domain::context::Ports;
use contact_hub_sender::{Meters, Pulse, Sweep, Worker, WorkerOptions, WorkerPorts, WorkerSignal};
use contact_hub_storage::Storage;
use contact_hub_web::{RenderMetrics, ServedDocument, WebState, app, configure, configure_metrics};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::master_key;
use crate::readiness::HubReadiness;
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::telemetry;
use crate::webhook_settings::WebhookSettings;
use crate::wire::{Outbound, World, ports};

/// How long running requests may take once the service stops, in seconds.
const SHUTDOWN_SECONDS: u64 = 30;

/// How often the uses of keys are recorded.
const KEY_USES_EVERY: Duration = Duration::from_secs(1);

/// A client that does not finish its request's head within this time is let go.
const REQUEST_HEAD_WITHIN: Duration = Duration::from_secs(15);

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
    servers: Vec<ServerHandle>,
    running: Vec<JoinHandle<std::io::Result<()>>>,
    background: Background,
}

/// What no request waits for.
struct Background {
    key_uses: JoinHandle<()>,
    worker: Worker,
    sweep: Sweep,
    meters: Meters,
}

impl Hub {
    /// Binds the address and serves. The database is expected to be migrated.
    pub fn start(
        database: &DatabaseSettings,
        settings: &ServeSettings,
        world: &World,
    ) -> Result<Self> {
        let listener = bind(settings.listen)?;
        let address = listener.local_addr().context("the address bound is not known")?;
        let public_url = settings.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
        let storage = Storage::new(&database.storage_options(), Handle::current());
        let key_file = settings.secret_key_file.as_deref();
        let keys = master_key::ensure(key_file, &database.database_url, world.chance.as_ref())?;
        let outbound = Outbound::new(world, &keys, settings.webhooks.url_policy())?;
        let ports = ports(world, &storage, settings.quotas(), &outbound, &public_url);
        let metrics = telemetry::metrics()?;
        let pulse = Arc::<Pulse>::default();
        let render: RenderMetrics = Arc::new(move || metrics.render());
        let state = |metrics| {
            web::Data::new(WebState {
                ports: ports.clone(),
                public_url: public_url.clone(),
                cors_origins: settings.cors_origins.clone(),
                openapi: ServedDocument::default(),
                readiness: Arc::new(HubReadiness::new(storage.clone(), Arc::clone(&pulse))),
                metrics,
            })
        };
        let (mut servers, mut running) = (Vec::new(), Vec::new());
        let mut serve = |listener, state, routes, workers| {
            let (handle, server) = serve(listener, state, routes, workers)?;
            servers.push(handle);
            running.push(server);
            anyhow::Ok(())
        };
        let with_metrics = settings.metrics_listen.is_none().then(|| Arc::clone(&render));
        serve(listener, state(with_metrics), configure, settings.workers)?;
        if let Some(listen) = settings.metrics_listen {
            serve(bind(listen)?, state(Some(render)), configure_metrics, Some(1))?;
        }
        let background = Background::start(&ports, &settings.webhooks, outbound.signal, pulse);
        Ok(Self { address, public_url, ports, storage, servers, running, background })
    }

    /// Stops accepting, finishes what runs, and ends the background work.
    pub async fn stop(self) -> Result<()> {
        let servers = async {
            for server in &self.servers {
                server.stop(true).await;
            }
        };
        // Both take up to half a minute, and that is all the time there is.
        tokio::join!(servers, self.background.stop());
        if let Err(error) = record_key_uses(&self.ports).await {
            tracing::warn!(%error, "the last uses of keys are not recorded");
        }
        for server in self.running {
            server.await.context("a server ended badly")?.context("a server failed")?;
        }
        Ok(())
    }
}

impl Background {
    fn start(
        ports: &Ports,
        settings: &WebhookSettings,
        signal: Arc<WorkerSignal>,
        pulse: Arc<Pulse>,
    ) -> Self {
        let work = WorkerPorts {
            queue: Arc::clone(&ports.deliveries),
            sender: Arc::clone(&ports.sender),
            clock: Arc::clone(&ports.clock),
            ids: Arc::clone(&ports.ids),
            chance: Arc::clone(&ports.chance),
        };
        let options =
            WorkerOptions { concurrency: settings.concurrency, schedule: settings.schedule() };
        let (queue, clock) = (Arc::clone(&ports.deliveries), Arc::clone(&ports.clock));
        Self {
            key_uses: tokio::spawn(record_uses(ports.clone())),
            worker: Worker::start(work, options, signal, pulse),
            meters: Meters::start(Arc::clone(&queue), Arc::clone(&clock)),
            sweep: Sweep::start(queue, clock, settings.retention()),
        }
    }

    async fn stop(self) {
        self.key_uses.abort();
        drop((self.sweep, self.meters));
        self.worker.stop().await;
    }
}

fn bind(listen: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))
}

/// Serves these routes; the handle stops the server, the task ends with it.
fn serve(
    listener: TcpListener,
    state: web::Data<WebState>,
    routes: fn(&mut web::ServiceConfig),
    workers: Option<u16>,
) -> Result<(ServerHandle, JoinHandle<std::io::Result<()>>)> {
    let mut server = HttpServer::new(move || app(state.clone(), routes))
        .disable_signals()
        .shutdown_timeout(SHUTDOWN_SECONDS)
        // A client that closes its side has gone: its request is dropped, and what it reads is cancelled.
        .h1_allow_half_closed(false)
        .client_request_timeout(REQUEST_HEAD_WITHIN);
    if let Some(workers) = workers {
        server = server.workers(usize::from(workers));
    }
    let server = server.listen(listener).context("cannot listen")?.run();
    let handle = server.handle();
    Ok((handle, tokio::spawn(server)))
}

async fn record_uses(ports: Ports) {
    let mut ticks = tokio::time::interval(KEY_USES_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = record_key_uses(&ports).await {
            tracing::debug!(%error, "the uses of keys are recorded later");
        }
    }
}
