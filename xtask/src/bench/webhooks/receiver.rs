//! A receiver of webhooks that does as little as it can: it reads a request, answers, and notes the moment.
//!
//! It runs on a thread of its own and takes any number of connections. What a path says decides what it does: whoever
//! calls `/hang` gets no answer.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/// How often whoever waits looks.
const LOOK_EVERY: Duration = Duration::from_micros(200);

/// A running receiver. It ends with the program.
pub(super) struct Receiver {
    address: SocketAddr,
    arrivals: Arc<Mutex<Vec<Instant>>>,
}

impl Receiver {
    /// Starts it on a free port.
    pub(super) fn start() -> Result<Self> {
        let arrivals = Arc::<Mutex<Vec<Instant>>>::default();
        let (told, address) = mpsc::channel();
        let noted = Arc::clone(&arrivals);
        std::thread::spawn(move || serve(&told, &noted));
        let address = address.recv().context("the receiver does not start")??;
        Ok(Self { address, arrivals })
    }

    /// Its address with a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// When the requests came that were answered.
    pub(super) fn arrivals(&self) -> MutexGuard<'_, Vec<Instant>> {
        lock(&self.arrivals)
    }

    /// Forgets what came.
    pub(super) fn forget(&self) {
        self.arrivals().clear();
    }

    /// Waits until so many requests have come; gives their moments.
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

fn serve(told: &mpsc::Sender<Result<SocketAddr>>, arrivals: &Arc<Mutex<Vec<Instant>>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        let listening = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = match listening {
            Ok(listener) => {
                told.send(listener.local_addr().map_err(Into::into)).ok();
                listener
            }
            Err(error) => {
                told.send(Err(error.into())).ok();
                return;
            }
        };
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, Arc::clone(arrivals)));
        }
    });
}

/// Answers requests until the connection ends.
async fn answer(mut stream: TcpStream, arrivals: Arc<Mutex<Vec<Instant>>>) {
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
        lock(&arrivals).push(Instant::now());
        buffer.clear();
        if stream.write_all(ANSWER).await.is_err() {
            return;
        }
    }
}

/// Whether a request is there to its end; nobody sends the next one before the answer.
fn is_whole(request: &[u8]) -> bool {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Request::new(&mut headers);
    let Ok(httparse::Status::Complete(length)) = head.parse(request) else {
        return false;
    };
    let told = head.headers.iter().find(|it| it.name.eq_ignore_ascii_case("content-length"));
    let body = told.and_then(|it| std::str::from_utf8(it.value).ok()?.parse::<usize>().ok());
    request.len() >= length + body.unwrap_or_default()
}
