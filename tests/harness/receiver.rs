//! A receiver of webhooks on this machine.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Accepts concurrent requests, and answers as configured.
pub struct Receiver {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Received>>>,
    task: JoinHandle<()>,
}

/// A received request.
#[derive(Clone, Debug)]
pub struct Received {
    head: String,
    /// The body as received.
    pub body: String,
    /// When it was received.
    pub at: Instant,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its status code.
    pub status: u16,
    /// Lines of its head.
    pub head: String,
    /// The delay before it.
    pub after: Duration,
    /// Whether the connection is closed instead.
    pub is_cut: bool,
}

impl From<u16> for Reply {
    fn from(status: u16) -> Self {
        Self { status, head: String::new(), after: Duration::ZERO, is_cut: false }
    }
}

impl Received {
    /// A header's text, empty when absent.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        let found = lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value.trim())
    }
}

impl Receiver {
    /// Answers requests with these statuses in order, and with the last one from then on.
    pub async fn start(statuses: &[u16]) -> Self {
        let statuses = statuses.to_vec();
        Self::scripted(move |place| {
            statuses.get(place).or(statuses.last()).copied().unwrap_or(200).into()
        })
        .await
    }

    /// Answers each request by its number, from 0.
    pub async fn scripted(script: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Self {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (script, kept) = (Arc::new(script), Arc::clone(&requests));
        let handle = move |stream| serve(stream, Arc::clone(&script), Arc::clone(&kept));
        let (address, task) = listen(handle).await;
        Self { address, requests, task }
    }

    /// Passes each connection to a function; requests are not recorded.
    pub async fn raw<F: Future<Output = ()> + Send + 'static>(
        handle: impl Fn(TcpStream) -> F + Send + 'static,
    ) -> Self {
        let (address, task) = listen(handle).await;
        Self { address, requests: Arc::default(), task }
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// The address of its socket.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.requests.lock().expect("the requests").clone()
    }

    /// The number of requests so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.requests.lock().expect("the requests").len()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen<F: Future<Output = ()> + Send + 'static>(
    handle: impl Fn(TcpStream) -> F + Send + 'static,
) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let task = tokio::spawn(async move {
        let mut connections = tokio::task::JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            connections.spawn(handle(stream));
            while connections.try_join_next().is_some() {}
        }
    });
    (address, task)
}

async fn serve(
    mut stream: TcpStream,
    script: Arc<impl Fn(usize) -> Reply + Send + Sync>,
    requests: Arc<Mutex<Vec<Received>>>,
) {
    stream.set_nodelay(true).ok();
    while let Some(request) = read(&mut stream).await {
        let place = {
            let mut requests = requests.lock().expect("the requests");
            requests.push(request);
            requests.len() - 1
        };
        let Reply { status, head, after, is_cut } = script(place);
        tokio::time::sleep(after).await;
        if is_cut {
            break;
        }
        let answer = format!("HTTP/1.1 {status} Answer\r\nContent-Length: 2\r\n{head}\r\nok");
        if stream.write_all(answer.as_bytes()).await.is_err() {
            break;
        }
    }
}

/// Reads one request; `None` when the connection ends.
async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(chunk.get(..count)?);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let request = Received { head: head.to_owned(), body: body.to_owned(), at: Instant::now() };
        if body.len() >= request.header("content-length").parse().unwrap_or(0) {
            return Some(request);
        }
    }
}
