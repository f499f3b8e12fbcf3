//! The servers of a running service: one for everything, and one for the metrics where they have an address of their own.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use actix_web::web;
use anyhow::{Context, Result};
use contact_hub_domain::context::Ports;
use contact_hub_web::{
    Budget, HeavyThreads, MetricsAccess, Patience, Readiness, RenderMetrics, ServedDocument,
    ServerOptions, Stopping, WebState, configure, configure_metrics, serve,
};
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;

use crate::settings::ServeSettings;

/// How long running requests may take once the service stops, in seconds.
const SHUTDOWN_SECONDS: u64 = 30;

/// How many files a process may open when the system does not say.
const FEW_FILES: u64 = 1024;

/// How many connections may wait to be accepted. A client whose connection finds no room tries again after a second, so with
/// the usual 128 places many connections at once would delay those of others.
const WAITING_CONNECTIONS: u32 = 4096;

/// What is served.
pub(crate) struct Served<'a> {
    /// Every port.
    pub(crate) ports: &'a Ports,
    /// The address under which clients reach the service.
    pub(crate) public_url: &'a str,
    /// Tells whether the service can do its work.
    pub(crate) readiness: Arc<dyn Readiness>,
    /// Renders the metrics.
    pub(crate) render: RenderMetrics,
}

/// Running servers, and the threads on which their heavy work is done.
pub(crate) struct Servers {
    handles: Vec<ServerHandle>,
    running: Vec<JoinHandle<std::io::Result<()>>>,
    _heavy: HeavyThreads,
}

impl Servers {
    /// Starts the servers; when the other value begins, they say that they stop.
    pub(crate) fn start(
        listener: TcpListener,
        settings: &ServeSettings,
        served: Served<'_>,
    ) -> Result<(Self, Stopping)> {
        let threads = HeavyThreads::start().context("no threads for heavy work")?;
        let stopping = Stopping::default();
        let state = state(settings, &served, &threads, stopping.clone())?;
        let mut servers = Self { handles: Vec::new(), running: Vec::new(), _heavy: threads };
        let options = options(settings);
        let with_metrics =
            settings.metrics_access().map(|access| (access, Arc::clone(&served.render)));
        servers.run(listener, state(with_metrics), configure, options)?;
        if let Some(listen) = settings.metrics_listen {
            let options = ServerOptions { workers: Some(1), ..options };
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

    /// Stops accepting and finishes what runs.
    pub(crate) async fn stop(&self) {
        for server in &self.handles {
            server.stop(true).await;
        }
    }

    /// Waits until the servers have ended.
    pub(crate) async fn ended(self) -> Result<()> {
        for server in self.running {
            server.await.context("a server ended badly")?.context("a server failed")?;
        }
        Ok(())
    }
}

/// Listens on an address.
pub(crate) fn bind(listen: SocketAddr) -> Result<TcpListener> {
    listener(listen).with_context(|| format!("cannot listen on {listen}"))
}

fn listener(listen: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if listen.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A service that starts again finds its address in use by connections that have just ended.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(listen)?;
    socket.listen(WAITING_CONNECTIONS)?.into_std()
}

/// What every server shares; each has its own answer to whether it shows the metrics.
fn state(
    settings: &ServeSettings,
    served: &Served<'_>,
    threads: &HeavyThreads,
    stopping: Stopping,
) -> Result<impl Fn(Option<(MetricsAccess, RenderMetrics)>) -> WebState + use<>> {
    let edge = settings.edge.clone();
    let heavy = threads.heavy().context("the threads for heavy work have ended")?;
    let budget = Arc::new(Budget::new(edge.memory_budget()));
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
        openapi: ServedDocument::default(),
        readiness: Arc::clone(&readiness),
        metrics,
    })
}

/// Each connection is an open file, so the process asks for as many files as the system gives.
fn options(settings: &ServeSettings) -> ServerOptions {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(FEW_FILES);
    ServerOptions {
        workers: settings.workers,
        connections: settings.edge.connections(files),
        connections_of_network: settings.edge.connections_of_network(),
        shutdown_seconds: SHUTDOWN_SECONDS,
    }
}
