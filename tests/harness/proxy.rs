//! A TCP proxy that can fall silent: it keeps connections open and takes new ones, but passes nothing on. It can also
//! forget the connections that are open, so that only new ones pass.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Passes bytes between its clients and one server; gone when it is dropped.
pub struct Proxy {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    /// How often it forgot its connections.
    forgotten: AtomicU64,
    accepting: JoinHandle<()>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Passing,
    Silent,
    /// Every connection of an earlier round stays open, but nothing on it is passed on.
    Forgetful {
        round: u64,
    },
    /// Every connection of an earlier round is closed.
    Cut {
        round: u64,
    },
}

impl Proxy {
    /// A proxy before a server, on a free port of the loopback address.
    pub async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("its address");
        let (mode, changes) = watch::channel(Mode::Passing);
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(connect(client, server, changes.clone()));
            }
        });
        Self { address, mode, forgotten: AtomicU64::new(0), accepting }
    }

    /// Where clients connect.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Passes nothing on until [`Self::pass`] is called; what arrives meanwhile is kept.
    pub fn fall_silent(&self) {
        self.mode.send_replace(Mode::Silent);
    }

    /// Passes on again.
    pub fn pass(&self) {
        self.mode.send_replace(Mode::Passing);
    }

    /// Passes nothing on from now on for the connections that are open; new ones are passed on. Lasts until another mode.
    pub fn forget(&self) {
        let round = self.forgotten.fetch_add(1, Ordering::Relaxed);
        self.mode.send_replace(Mode::Forgetful { round });
    }

    /// Closes every connection that is open; new ones are passed on.
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
    // A connection that begins after a cut belongs to no earlier round.
    let began = *changes.borrow_and_update();
    let passes = move |mode: &Mode| match mode {
        Mode::Passing | Mode::Cut { .. } => true,
        Mode::Silent => false,
        Mode::Forgetful { .. } => *mode == began,
    };
    let is_cut = |mode: &Mode| matches!(mode, Mode::Cut { .. }) && *mode != began;
    let pass = async {
        let mut opening = changes.clone();
        opening.wait_for(|mode| *mode != Mode::Silent).await.ok()?;
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

/// Copies until either side closes. The last bytes before a close are passed on too, but only when the mode lets them.
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
