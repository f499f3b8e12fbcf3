//! Clients that send slowly, or do not read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// The interval between the bytes of a slow client.
const DRIP_EVERY: Duration = Duration::from_secs(1);

/// Opens this many connections, sends the same bytes on each, and holds them open to the end of the time.
///
/// Connections that the service closes are not opened again.
pub(super) async fn stall(address: &str, count: usize, sent: Arc<[u8]>, lasts: Duration) {
    let (end, mut clients) = (Instant::now() + lasts, JoinSet::new());
    for _ in 0..count {
        let (address, sent) = (address.to_owned(), sent.clone());
        clients.spawn(async move {
            let Ok(mut stream) = TcpStream::connect(address).await else { return };
            let all = async {
                if stream.write_all(&sent).await.is_ok() {
                    std::future::pending::<()>().await;
                }
            };
            tokio::time::timeout(end.saturating_duration_since(Instant::now()), all).await.ok();
        });
    }
    while clients.join_next().await.is_some() {}
}

/// Like [`stall`], with one more byte every second.
pub(super) async fn drip(address: &str, count: usize, sent: Arc<[u8]>, lasts: Duration) {
    let (end, mut clients) = (Instant::now() + lasts, JoinSet::new());
    for _ in 0..count {
        let (address, sent) = (address.to_owned(), sent.clone());
        clients.spawn(async move {
            let Ok(mut stream) = TcpStream::connect(address).await else { return };
            let mut next: &[u8] = &sent;
            while Instant::now() < end && stream.write_all(next).await.is_ok() {
                next = b"x";
                tokio::time::sleep(DRIP_EVERY).await;
            }
        });
    }
    while clients.join_next().await.is_some() {}
}

/// Sends a request on this many connections and reads the answer one byte at a time.
pub(super) async fn sip(address: &str, count: usize, sent: Arc<[u8]>, lasts: Duration) {
    let (end, mut clients) = (Instant::now() + lasts, JoinSet::new());
    for _ in 0..count {
        let (address, sent) = (address.to_owned(), sent.clone());
        clients.spawn(async move {
            let Ok(mut stream) = TcpStream::connect(address).await else { return };
            if stream.write_all(&sent).await.is_err() {
                return;
            }
            let mut byte = [0];
            while Instant::now() < end && matches!(stream.read(&mut byte).await, Ok(1)) {
                tokio::time::sleep(DRIP_EVERY).await;
            }
        });
    }
    while clients.join_next().await.is_some() {}
}
