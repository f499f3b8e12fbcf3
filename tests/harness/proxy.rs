//! A TCP proxy that can fall silent: it keeps connections open and accepts new ones, but forwards nothing. It can
//! also stop forwarding on the open connections only, so that new ones work, or on new ones only.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Forwards bytes between its clients and one server, until it is dropped.
pub struct Proxy {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    /// How often open connections were made silent.
    forgotten: AtomicU64,
    accepted: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Passing,
    Silent,
    /// Nothing is forwarded on new connections.
    Full,
    /// Connections of earlier rounds stay open, but nothing is forwarded on them.
    Forgetful {
        round: u64,
    },
    /// Connections of earlier rounds are closed.
    Cut {
        round: u64,
    },
}

impl Proxy {
    /// Starts a proxy in front of a server, on a free port of the loopback address.
    pub async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("its address");
        let (mode, changes) = watch::channel(Mode::Passing);
        let accepted = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&accepted);
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(connect(client, server, changes.clone()));
            }
        });
        Self { address, mode, forgotten: AtomicU64::new(0), accepted, accepting }
    }

    /// The address for clients.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Forwards nothing until [`Self::pass`] is called; data that arrives meanwhile is kept.
    pub fn fall_silent(&self) {
        self.mode.send_replace(Mode::Silent);
    }

    /// Forwards nothing on connections that begin from now on, until [`Self::pass`] is called.
    pub fn hold_new_ones(&self) {
        self.mode.send_replace(Mode::Full);
    }

    /// How many connections it has accepted.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Resumes forwarding.
    pub fn pass(&self) {
        self.mode.send_replace(Mode::Passing);
    }

    /// Stops forwarding on the open connections; new ones work. Lasts until another mode is set.
    pub fn forget(&self) {
        let round = self.forgotten.fetch_add(1, Ordering::Relaxed);
        self.mode.send_replace(Mode::Forgetful { round });
    }

    /// Closes every open connection; new ones work.
    pub fn cut(&self) {
        self.mode.send_modify(|mode| {
            let round = if let Mode::Cut { round } = mode { *round + 1 } else { 0 };
            *mode = Mode::Cut { round };
        });
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn connect(client: TcpStream, server: SocketAddr, mut changes: watch::Receiver<Mode>) {
    // A connection that begins after a cut belongs to the new round.
    let began = *changes.borrow_and_update();
    let passes = move |mode: &Mode| match mode {
        Mode::Passing | Mode::Full | Mode::Cut { .. } => true,
        Mode::Silent => false,
        Mode::Forgetful { .. } => *mode == began,
    };
    let is_cut = |mode: &Mode| matches!(mode, Mode::Cut { .. }) && *mode != began;
    let pass = async {
        let mut opening = changes.clone();
        opening.wait_for(|mode| !matches!(mode, Mode::Silent | Mode::Full)).await.ok()?;
        let server = TcpStream::connect(server).await.ok()?;
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::select! {
            () = copy(from_client, to_server, changes.clone(), passes) => {}
            () = copy(from_server, to_client, changes.clone(), passes) => {}
        }
        Some(())
    };
    let mut cut = changes.clone();
    tokio::select! {
        _ = pass => {}
        _ = cut.wait_for(is_cut) => {}
    }
}

/// Copies until either side closes. The last bytes before a close are forwarded too, if the mode permits.
async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut mode: watch::Receiver<Mode>,
    passes: impl Fn(&Mode) -> bool + Copy,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if mode.wait_for(passes).await.is_err() {
            break;
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            break;
        }
    }
    if mode.wait_for(passes).await.is_ok() {
        to.shutdown().await.ok();
    }
}
