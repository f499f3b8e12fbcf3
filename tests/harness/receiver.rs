//! A receiver of webhooks on this machine.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Takes requests and answers each with the next of its statuses, the last one from then on.
pub struct Receiver {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Received>>>,
    task: JoinHandle<()>,
}

/// A request that came.
#[derive(Clone, Debug)]
pub struct Received {
    head: String,
    /// The body as it came.
    pub body: String,
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
    /// Begins to listen.
    pub async fn start(statuses: &[u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn(serve(listener, statuses.to_vec(), Arc::clone(&requests)));
        Self { address, requests, task }
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// What came so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.requests.lock().expect("the requests").clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, statuses: Vec<u16>, requests: Arc<Mutex<Vec<Received>>>) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let Some(request) = read(&mut stream).await else { continue };
        let count = {
            let mut requests = requests.lock().expect("the requests");
            requests.push(request);
            requests.len()
        };
        let status = statuses.get(count - 1).or(statuses.last()).copied().unwrap_or(200);
        let answer =
            format!("HTTP/1.1 {status} Answer\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        stream.write_all(answer.as_bytes()).await.ok();
        stream.shutdown().await.ok();
    }
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(chunk.get(..count)?);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let request = Received { head: head.to_owned(), body: body.to_owned() };
        if body.len() >= request.header("content-length").parse().unwrap_or(0) {
            return Some(request);
        }
    }
}
