//! The thread that forwards connections. It waits for nothing else, so that libpq may block any other thread.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::{UnixListener, UnixStream};
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::error::TlsError;
use crate::handshake::{Outer, open};
use crate::host::{Host, Kind};
use crate::listener::{Listener, is_own};
use crate::relay::relay;
use crate::settings::Settings;

/// The maximum number of connections to one server. Pools are far smaller; further connections wait in the queue of the
/// socket.
const MAX_CONNECTIONS: usize = 512;

/// The maximum number of threads that look up names and read files.
const MAX_BLOCKING: usize = 16;

/// The pause after a connection was not accepted, for example because no file descriptor is free.
const PAUSE: Duration = Duration::from_millis(100);

/// Local sockets whose connections are forwarded to the servers. When this is dropped, it accepts no more; open
/// connections are forwarded until they end.
pub(crate) struct Tunnel {
    places: Vec<(String, u16)>,
    _open: watch::Sender<()>,
}

impl Tunnel {
    pub(crate) fn start(hosts: &[Host], settings: &Arc<Settings>) -> Result<Self, TlsError> {
        // Files that are missing are reported here.
        settings.config()?;
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(MAX_BLOCKING)
            .thread_name("database-tls")
            .build()
            .map_err(|error| TlsError::Socket(error.to_string()))?;
        let (open, closed) = watch::channel(());
        let mut places = Vec::new();
        let mut servers = Vec::new();
        for host in hosts {
            if host.kind() != Kind::Tcp {
                places.push((host.name.clone(), host.port));
                continue;
            }
            let listener = Listener::new(host)?;
            places.push((listener.host.clone(), host.port));
            let host = Arc::new(host.clone());
            servers.push(
                Server { host, settings: Arc::clone(settings), closed: closed.clone() }
                    .run(listener),
            );
        }
        let work = move || {
            runtime.block_on(async {
                let mut running: JoinSet<()> = servers.into_iter().collect();
                while running.join_next().await.is_some() {}
            });
            // A look-up of a name may still block.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("database-tls".to_owned()).spawn(work);
        thread.map_err(|error| TlsError::Socket(error.to_string()))?;
        Ok(Self { places, _open: open })
    }

    /// The hosts and ports by which libpq finds the sockets.
    pub(crate) fn places(&self) -> &[(String, u16)] {
        &self.places
    }
}

/// Forwards the connections to one server.
struct Server {
    host: Arc<Host>,
    settings: Arc<Settings>,
    closed: watch::Receiver<()>,
}

impl Server {
    async fn run(mut self, listener: Listener) {
        let mut connections = JoinSet::new();
        if let Err(error) = self.accept(listener, &mut connections).await {
            tracing::error!(%error, "the local socket for TLS towards PostgreSQL has failed");
        }
        while connections.join_next().await.is_some() {}
    }

    async fn accept(
        &mut self,
        listener: Listener,
        connections: &mut JoinSet<()>,
    ) -> std::io::Result<()> {
        #[cfg(not(target_os = "linux"))]
        let _directory = listener.directory;
        let socket = UnixListener::from_std(listener.socket)?;
        loop {
            tokio::select! {
                _dropped = self.closed.changed() => return Ok(()),
                Some(_ended) = connections.join_next() => {}
                accepted = socket.accept(), if connections.len() < MAX_CONNECTIONS => match accepted {
                    Ok((stream, _)) if is_own(&stream) => {
                        let (host, settings) = (Arc::clone(&self.host), Arc::clone(&self.settings));
                        connections.spawn(carry(stream, host, settings));
                    }
                    Ok(_stranger) => tracing::warn!("another process connected to a local socket of this one"),
                    Err(error) => {
                        tracing::warn!(%error, "a connection to PostgreSQL was not accepted");
                        tokio::time::sleep(PAUSE).await;
                    }
                },
            }
        }
    }
}

async fn carry(inner: UnixStream, host: Arc<Host>, settings: Arc<Settings>) {
    match open(&host, &settings).await {
        Ok(Outer::Tls(outer)) => relay(inner, outer, &host).await,
        Ok(Outer::Plain(outer)) => relay(inner, outer, &host).await,
        Err(refusal) => refusal.send(inner).await,
    }
}
