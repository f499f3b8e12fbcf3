//! A TCP proxy that can fall silent: it keeps connections open and takes new ones, but passes nothing on.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Passes bytes between its clients and one server; gone when it is dropped.
pub struct Proxy {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    accepting: JoinHandle<()>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Passing,
    Silent,
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
        Self { address, mode, accepting }
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
    let is_cut = |mode: &Mode| matches!(mode, Mode::Cut { .. }) && *mode != began;
    let pass = async {
        let mut opening = changes.clone();
        opening.wait_for(|mode| *mode != Mode::Silent).await.ok()?;
        let server = TcpStream::connect(server).await.ok()?;
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::select! {
            () = copy(from_client, to_server, changes.clone()) => {}
            () = copy(from_server, to_client, changes.clone()) => {}
        }
        Some(())
    };
    let mut cut = changes.clone();
    tokio::select! {
        _ = pass => {}
        _ = cut.wait_for(is_cut) => {}
    }
}

/// Copies until either side closes. The last bytes before a close are passed on too, but not while the proxy is silent.
async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut mode: watch::Receiver<Mode>) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if mode.wait_for(|mode| *mode != Mode::Silent).await.is_err() {
            break;
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            break;
        }
    }
    if mode.wait_for(|mode| *mode != Mode::Silent).await.is_ok() {
        to.shutdown().await.ok();
    }
}
