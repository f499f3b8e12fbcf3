//! A receiver of webhooks that does little: it reads a request, answers, and records the time.
//!
//! It runs on a separate thread and accepts any number of connections. The path selects its behaviour: requests to
//! `/hang` get no answer, and those to `/off` get theirs when they are not held.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/// The polling interval of a waiting caller.
const LOOK_EVERY: Duration = Duration::from_micros(200);

/// A running receiver. It ends with the program.
pub(super) struct Receiver {
    address: SocketAddr,
    arrivals: Arc<Mutex<Vec<Instant>>>,
    is_held: watch::Sender<bool>,
}

impl Receiver {
    /// Starts it on a free port.
    pub(super) fn start() -> Result<Self> {
        let arrivals = Arc::<Mutex<Vec<Instant>>>::default();
        let (sender, address) = mpsc::channel();
        let noted = Arc::clone(&arrivals);
        let (is_held, held) = watch::channel(false);
        std::thread::spawn(move || serve(&sender, &noted, &held));
        let address = address.recv().context("the receiver does not start")??;
        Ok(Self { address, arrivals, is_held })
    }

    /// Holds the answers of `/off`, or gives them.
    pub(super) fn hold(&self, is_held: bool) {
        self.is_held.send_replace(is_held);
    }

    /// Its address with a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// When the answered requests arrived.
    pub(super) fn arrivals(&self) -> MutexGuard<'_, Vec<Instant>> {
        lock(&self.arrivals)
    }

    /// Clears the recorded times.
    pub(super) fn forget(&self) {
        self.arrivals().clear();
    }

    /// Waits until this many requests have arrived; returns their times.
    pub(super) fn wait_for(&self, count: usize, patience: Duration) -> Result<Vec<Instant>> {
        let (never, end) = (mpsc::channel::<()>(), Instant::now() + patience);
        while self.arrivals().len() < count {
            let came = self.arrivals().len();
            ensure!(Instant::now() < end, "only {came} of {count} deliveries came");
            // A pause; nobody ever sends.
            never.1.recv_timeout(LOOK_EVERY).ok();
        }
        Ok(self.arrivals().clone())
    }
}

fn lock(arrivals: &Mutex<Vec<Instant>>) -> MutexGuard<'_, Vec<Instant>> {
    arrivals.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(
    sender: &mpsc::Sender<Result<SocketAddr>>,
    arrivals: &Arc<Mutex<Vec<Instant>>>,
    held: &watch::Receiver<bool>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        let listening = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = match listening {
            Ok(listener) => {
                sender.send(listener.local_addr().map_err(Into::into)).ok();
                listener
            }
            Err(error) => {
                sender.send(Err(error.into())).ok();
                return;
            }
        };
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, Arc::clone(arrivals), held.clone()));
        }
    });
}

/// Answers requests until the connection ends.
async fn answer(
    mut stream: TcpStream,
    arrivals: Arc<Mutex<Vec<Instant>>>,
    mut held: watch::Receiver<bool>,
) {
    stream.set_nodelay(true).ok();
    let mut buffer = Vec::with_capacity(8 << 10);
    loop {
        while !is_whole(&buffer) {
            if !matches!(stream.read_buf(&mut buffer).await, Ok(1..)) {
                return;
            }
        }
        if buffer.starts_with(b"POST /hang ") {
            std::future::pending::<()>().await;
        }
        if buffer.starts_with(b"POST /off ") && held.wait_for(|is_held| !is_held).await.is_err() {
            return;
        }
        lock(&arrivals).push(Instant::now());
        buffer.clear();
        if stream.write_all(ANSWER).await.is_err() {
            return;
        }
    }
}

/// Whether a request is complete; clients send the next one only after the answer.
fn is_whole(request: &[u8]) -> bool {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Request::new(&mut headers);
    let Ok(httparse::Status::Complete(length)) = head.parse(request) else {
        return false;
    };
    let field = head.headers.iter().find(|it| it.name.eq_ignore_ascii_case("content-length"));
    let body = field.and_then(|it| std::str::from_utf8(it.value).ok()?.parse::<usize>().ok());
    request.len() >= length + body.unwrap_or_default()
}
