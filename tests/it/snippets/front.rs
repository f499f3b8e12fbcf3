//! A proxy whose first connection is closed in the middle of the answer.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A running proxy, which stops when it is dropped.
pub(super) struct Front {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

impl Front {
    /// Forwards to a hub, but only this many bytes of the first answer.
    pub(super) async fn before(base: &str, bytes: u64) -> Self {
        let hub: SocketAddr = base.trim_start_matches("http://").parse().expect("an address");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("its address");
        let connections = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&connections);
        let accepting = tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let breaks = count.fetch_add(1, Ordering::Relaxed) == 0;
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(hub).await.expect("the hub");
                    if breaks {
                        break_off(client, server, bytes).await;
                    } else {
                        copy_bidirectional(&mut client, &mut server).await.ok();
                    }
                });
            }
        });
        Self { address, connections, accepting }
    }

    pub(super) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The number of connections so far.
    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn break_off(mut client: TcpStream, mut server: TcpStream, bytes: u64) {
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let answer = async {
        from_server.peek(&mut [0]).await.expect("an answer");
        copy(&mut (&mut from_server).take(bytes), &mut to_client).await.ok();
        to_client.shutdown().await.ok();
    };
    // The connection stays open until the answer has begun.
    let call = async {
        copy(&mut from_client, &mut to_server).await.ok();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = answer => {}
        () = call => {}
    }
}
