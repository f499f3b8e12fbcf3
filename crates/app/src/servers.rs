//! The servers of a running service: one for everything, and one for metrics if they have a separate address.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use actix_web::web;
use anyhow::{Context, Result};
use contact_hub_domain::context::Ports;
use contact_hub_web::{
    Budget, HeavyThreads, LivePlaces, MetricsAccess, Patience, Readiness, RenderMetrics,
    RequestMetrics, ServedDocument, ServerOptions, Stopping, WebState, configure,
    configure_metrics, serve,
};
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;

use crate::settings::ServeSettings;

/// How long running requests may take after the service stops accepting, in seconds.
const SHUTDOWN_SECONDS: u64 = 30;

/// How many files a process may open when the system does not report it.
const FEW_FILES: u64 = 1024;

/// The maximum number of open connections of a separate address for metrics. These are added to those of clients, which may
/// use three quarters of the files.
const METRICS_CONNECTIONS: usize = 64;

/// The length of the accept queue. A client whose connection does not fit retries only after a second, so with the
/// usual length of 128 a burst of connections would delay those of others.
const WAITING_CONNECTIONS: u32 = 4096;

/// What is served.
pub(crate) struct Served<'a> {
    /// Every port.
    pub(crate) ports: &'a Ports,
    /// How many threads answer requests.
    pub(crate) workers: usize,
    /// The address under which clients reach the service.
    pub(crate) public_url: &'a str,
    /// Reports whether the service is ready.
    pub(crate) readiness: Arc<dyn Readiness>,
    /// Renders the metrics.
    pub(crate) render: RenderMetrics,
}

/// Running servers, and the threads for their heavy work.
pub(crate) struct Servers {
    handles: Vec<ServerHandle>,
    running: Vec<JoinHandle<std::io::Result<()>>>,
    _heavy: HeavyThreads,
}

impl Servers {
    /// Starts the servers. Once the returned [`Stopping`] is set, their answers announce the shutdown to clients.
    pub(crate) fn start(
        listener: TcpListener,
        settings: &ServeSettings,
        served: Served<'_>,
    ) -> Result<(Self, Stopping)> {
        let threads = HeavyThreads::start().context("no threads for heavy work")?;
        let stopping = Stopping::default();
        let state = state(settings, &served, &threads, stopping.clone())?;
        let mut servers = Self { handles: Vec::new(), running: Vec::new(), _heavy: threads };
        let options = options(settings, served.workers);
        let with_metrics =
            settings.metrics_access().map(|access| (access, Arc::clone(&served.render)));
        servers.run(listener, state(with_metrics), configure, options)?;
        if let Some(listen) = settings.metrics_listen {
            let connections = options.connections.min(METRICS_CONNECTIONS);
            let options = ServerOptions { workers: 1, connections, ..options };
            let metrics = Some((MetricsAccess::Everybody, served.render));
            servers.run(bind(listen)?, state(metrics), configure_metrics, options)?;
        }
        Ok((servers, stopping))
    }

    fn run(
        &mut self,
        listener: TcpListener,
        state: WebState,
        routes: fn(&mut web::ServiceConfig),
        options: ServerOptions,
    ) -> Result<()> {
        let server = serve(listener, web::Data::new(state), routes, options);
        let server = server.context("cannot listen")?;
        self.handles.push(server.handle());
        self.running.push(tokio::spawn(server));
        Ok(())
    }

    /// Stops accepting connections, and finishes running requests.
    pub(crate) async fn stop(&self) {
        for server in &self.handles {
            server.stop(true).await;
        }
    }

    /// Waits until the servers have ended.
    pub(crate) async fn ended(self) -> Result<()> {
        for server in self.running {
            server.await.context("a server panicked")?.context("a server failed")?;
        }
        Ok(())
    }
}

/// Listens on an address.
pub(crate) fn bind(listen: SocketAddr) -> Result<TcpListener> {
    listener(listen)
        .with_context(|| format!("cannot listen on {listen} (set by --listen or --metrics-listen)"))
}

fn listener(listen: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if listen.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A restarted service finds its address in use by connections that have just ended.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(listen)?;
    socket.listen(WAITING_CONNECTIONS)?.into_std()
}

/// The state that all servers share; whether metrics are shown differs.
fn state(
    settings: &ServeSettings,
    served: &Served<'_>,
    threads: &HeavyThreads,
    stopping: Stopping,
) -> Result<impl Fn(Option<(MetricsAccess, RenderMetrics)>) -> WebState + use<>> {
    let edge = settings.edge.clone();
    let heavy = threads.heavy().context("the threads for heavy work have ended")?;
    let budget = Arc::new(Budget::new(edge.memory_budget()));
    let live = Arc::<LivePlaces>::default();
    let (ports, public_url) = (served.ports.clone(), served.public_url.to_owned());
    let (cors_origins, readiness) = (settings.cors_origins.clone(), Arc::clone(&served.readiness));
    Ok(move |metrics| WebState {
        ports: ports.clone(),
        public_url: public_url.clone(),
        cors_origins: cors_origins.clone(),
        trusted_proxies: edge.trusted_proxies.clone(),
        budget: Arc::clone(&budget),
        heavy: heavy.clone(),
        patience: Patience(edge.stall()),
        stopping: stopping.clone(),
        requests: RequestMetrics::default(),
        live: Arc::clone(&live),
        openapi: ServedDocument::default(),
        readiness: Arc::clone(&readiness),
        metrics,
    })
}

/// Each connection is an open file, so the process raises its limit of open files to the maximum.
fn options(settings: &ServeSettings, workers: usize) -> ServerOptions {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(FEW_FILES);
    ServerOptions {
        workers,
        connections: settings.edge.connections(files),
        connections_of_network: settings.edge.connections_of_network(),
        shutdown_seconds: SHUTDOWN_SECONDS,
    }
}
