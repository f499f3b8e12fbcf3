//! A connection between a service and its database, or a client and the service, that can be cut, or fall silent.
//!
//! Silence is what a lost network looks like: nothing is forwarded and nothing is closed.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The state of the connections, which are numbered in the order in which they were opened.
#[derive(Clone, Copy, Default)]
struct State {
    /// How many connections were opened.
    came: u64,
    /// Nothing is forwarded.
    is_silent: bool,
    /// The connections up to this number are closed.
    closed: u64,
    /// The connections up to this number are silent permanently.
    forgotten: u64,
}

/// A running proxy. It ends with its runtime.
pub(super) struct Proxy {
    port: u16,
    state: Arc<watch::Sender<State>>,
}

impl Proxy {
    /// Forwards a free port of the loopback address to this one.
    pub(super) async fn start(target: u16) -> Result<Self> {
        Self::to(move |_number| Some(target)).await
    }

    /// Forwards a free port to the one that a connection with this number gets; without one it is closed.
    pub(super) async fn to(
        target: impl Fn(u64) -> Option<u16> + Send + Sync + 'static,
    ) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.context("no free port")?;
        let port = listener.local_addr()?.port();
        let state = Arc::new(watch::Sender::new(State::default()));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let mut number = 0;
                shared.send_modify(|state| {
                    state.came += 1;
                    number = state.came;
                });
                if let Some(target) = target(number) {
                    tokio::spawn(forward(client, target, number, shared.subscribe()));
                }
            }
        });
        Ok(Self { port, state })
    }

    /// The port for clients.
    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// Stops or resumes forwarding; data that was held back is forwarded first.
    pub(super) fn set_silent(&self, is_silent: bool) {
        self.state.send_modify(|state| state.is_silent = is_silent);
    }

    /// Closes every connection; new ones work.
    pub(super) fn cut(&self) {
        self.state.send_modify(|state| state.closed = state.came);
    }

    /// Silences every open connection permanently, like a router that loses its table; new ones work.
    pub(super) fn forget(&self) {
        self.state.send_modify(|state| state.forgotten = state.came);
    }
}

async fn forward(client: TcpStream, target: u16, number: u64, mut state: watch::Receiver<State>) {
    if !may_pass(number, &mut state).await {
        return;
    }
    let Ok(server) = TcpStream::connect(("127.0.0.1", target)).await else { return };
    client.set_nodelay(true).ok();
    server.set_nodelay(true).ok();
    let ((from_client, to_client), (from_server, to_server)) =
        (client.into_split(), server.into_split());
    tokio::join!(
        copy(from_client, to_server, number, state.clone()),
        copy(from_server, to_client, number, state),
    );
}

/// Copies until either side ends or the connection is closed.
async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    number: u64,
    mut state: watch::Receiver<State>,
) {
    let mut buffer = vec![0; 16 << 10];
    loop {
        if !may_pass(number, &mut state).await {
            return;
        }
        tokio::select! {
            _ = state.changed() => {}
            read = from.read(&mut buffer) => {
                let Some(bytes) = read.ok().and_then(|count| buffer.get(..count)) else { return };
                // Data that was read before the silence waits for its end.
                if bytes.is_empty() || !may_pass(number, &mut state).await {
                    return;
                }
                if to.write_all(bytes).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Waits until the connection may forward; returns false when it is closed.
async fn may_pass(number: u64, state: &mut watch::Receiver<State>) -> bool {
    let passes =
        |state: &State| number <= state.closed || !(state.is_silent || number <= state.forgotten);
    match state.wait_for(passes).await {
        Ok(state) => number > state.closed,
        Err(_proxy_is_gone) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn echo() -> u16 {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    tokio::io::copy(&mut from, &mut to).await.ok();
                });
            }
        });
        port
    }

    async fn is_answered(stream: &mut TcpStream, within: Duration) -> Option<bool> {
        stream.write_all(b"x").await.ok()?;
        let mut byte = [0];
        let read = tokio::time::timeout(within, stream.read(&mut byte)).await;
        Some(matches!(read.ok()?, Ok(1)))
    }

    #[tokio::test]
    async fn silence_holds_back_and_a_cut_closes() {
        let proxy = Proxy::start(echo().await).await.unwrap();
        let connect = async || TcpStream::connect(("127.0.0.1", proxy.port())).await.unwrap();
        let (long, short) = (Duration::from_mins(1), Duration::from_millis(50));
        let mut first = connect().await;
        assert_eq!(is_answered(&mut first, long).await, Some(true));
        proxy.set_silent(true);
        assert_eq!(is_answered(&mut first, short).await, None);
        proxy.set_silent(false);
        let mut byte = [0];
        let held_back = tokio::time::timeout(long, first.read(&mut byte)).await.unwrap();
        assert_eq!(held_back.unwrap(), 1, "what was held back comes");
        proxy.forget();
        assert_eq!(is_answered(&mut first, short).await, None);
        let mut second = connect().await;
        assert_eq!(is_answered(&mut second, long).await, Some(true));
        proxy.cut();
        let read = tokio::time::timeout(long, second.read(&mut byte)).await.unwrap();
        assert!(matches!(read, Ok(0) | Err(_)));
    }
}
