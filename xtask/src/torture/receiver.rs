//! A receiver of webhooks that verifies requests, and that can misbehave.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The longest head and body that are read.
const MAX_BYTES: usize = 1 << 20;

/// The behaviour of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It answers 200.
    Healthy,
    /// It answers 500.
    Failing,
    /// It never answers.
    Hanging,
    /// It closes the connection instead of answering.
    Cutting,
    /// It answers with something that is not HTTP.
    Garbling,
    /// It answers with a body that does not end.
    Endless,
}

/// The misbehaviours.
pub(super) const HOSTILE: [Manner; 5] =
    [Manner::Failing, Manner::Hanging, Manner::Cutting, Manner::Garbling, Manner::Endless];

/// A running receiver. It ends with its runtime.
pub(crate) struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    secret: String,
    seen: Mutex<Seen>,
}

struct Seen {
    manner: Manner,
    /// When each sync's event was accepted.
    events: BTreeMap<String, Vec<Instant>>,
    unsigned: u64,
}

impl Receiver {
    /// Starts it on a free port; it expects signatures with this secret.
    pub(crate) async fn start(secret: &str, manner: Manner) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.context("no free port")?;
        let address = listener.local_addr()?;
        let seen = Seen { manner, events: BTreeMap::new(), unsigned: 0 };
        let shared = Arc::new(Shared { secret: secret.to_owned(), seen: Mutex::new(seen) });
        let receiving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&receiving)));
            }
        });
        Ok(Self { address, shared })
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// Sets its behaviour.
    pub(super) fn behave(&self, manner: Manner) {
        self.shared.seen().manner = manner;
    }

    /// When the event of this sync was first accepted.
    pub(super) fn accepted(&self, sync: &str) -> Option<Instant> {
        self.shared.seen().events.get(sync)?.first().copied()
    }

    /// The syncs whose event was accepted more than once, with the times.
    pub(super) fn repeated(&self) -> Vec<(String, Vec<Instant>)> {
        let seen = self.shared.seen();
        let repeated = seen.events.iter().filter(|(_, times)| times.len() > 1);
        repeated.map(|(sync, times)| (sync.clone(), times.clone())).collect()
    }

    /// How many requests had no valid signature.
    pub(crate) fn unsigned(&self) -> u64 {
        self.shared.seen().unsigned
    }
}

impl Shared {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request that is answered with 200.
    fn accept(&self, request: &Request) {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let sync = body.get("sync_id").and_then(Value::as_str);
        let mut seen = self.seen();
        match sync.filter(|_| request.is_signed_with(&self.secret)) {
            Some(sync) => {
                seen.events.entry(sync.to_owned()).or_default().push(Instant::now());
            }
            None => seen.unsigned += 1,
        }
    }
}

struct Request {
    signature: String,
    body: Vec<u8>,
}

impl Request {
    fn is_signed_with(&self, secret: &str) -> bool {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
        mac.update(&self.body);
        hex::encode(mac.finalize().into_bytes()) == self.signature
    }
}

async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    while let Some(request) = read(&mut stream).await {
        let manner = shared.seen().manner;
        let answer: &[u8] = match manner {
            Manner::Healthy => {
                shared.accept(&request);
                b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            }
            Manner::Failing => b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n",
            Manner::Garbling => b"\x00\xffnothing that a client expects\r\n\r\n",
            Manner::Cutting => return,
            Manner::Hanging => return hang(stream).await,
            Manner::Endless => return drip(stream).await,
        };
        if stream.write_all(answer).await.is_err() {
            return;
        }
    }
}

/// Sends nothing until the client disconnects.
async fn hang(mut stream: TcpStream) {
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await.is_ok_and(|count| count > 0) {}
}

/// Sends a byte at a time until the client disconnects.
async fn drip(mut stream: TcpStream) {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    let mut next: &[u8] = head;
    while stream.write_all(next).await.is_ok() {
        next = b".";
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Reads one request; `None` when the connection ends or the request is malformed.
async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    while bytes.len() < MAX_BYTES {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        let mut headers = [httparse::EMPTY_HEADER; 40];
        let mut head = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(length) = head.parse(&bytes).ok()? else { continue };
        let header = |name: &str| {
            let found = head.headers.iter().find(|it| it.name.eq_ignore_ascii_case(name));
            found.and_then(|it| std::str::from_utf8(it.value).ok()).unwrap_or_default().to_owned()
        };
        let end = length + header("content-length").parse::<usize>().unwrap_or(0);
        if let Some(body) = bytes.get(length..end) {
            return Some(Request { signature: header("service-signature"), body: body.to_vec() });
        }
    }
    None
}
