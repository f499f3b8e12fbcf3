//! Clients that call the service, each on one connection, each call right after the previous answer.
//!
//! They share the machine with what they measure, so they do little: one thread, requests that are encoded in
//! advance, and only the head of an answer is parsed.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

/// When the clients stop.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    /// After this time.
    Elapsed(Duration),
    /// After this many calls of all clients together.
    Calls(usize),
}

/// The results of the clients.
pub(crate) struct Measured {
    /// Answered calls.
    pub(crate) calls: usize,
    /// From the first call to the last answer.
    pub(crate) elapsed: Duration,
    latencies: Vec<Duration>,
}

impl Measured {
    /// Calls per second.
    pub(crate) fn per_second(&self) -> f64 {
        f64::from(u32::try_from(self.calls).unwrap_or(u32::MAX)) / self.elapsed.as_secs_f64()
    }

    /// The median latency, in milliseconds.
    pub(crate) fn median_ms(&self) -> f64 {
        median_ms(self.latencies.clone())
    }
}

fn median_ms(mut latencies: Vec<Duration>) -> f64 {
    latencies.sort_unstable();
    latencies.get(latencies.len() / 2).map_or(f64::NAN, |median| median.as_secs_f64() * 1e3)
}

/// One request, as bytes.
pub(crate) fn request(method: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

struct Shared {
    requests: Vec<Vec<u8>>,
    until: Until,
    started: Instant,
    begun: Cell<usize>,
    latencies: RefCell<Vec<Duration>>,
}

impl Shared {
    /// The next request in rotation, until the clients stop.
    fn next(&self) -> Option<&[u8]> {
        let number = self.begun.get();
        let goes_on = match self.until {
            Until::Elapsed(duration) => self.started.elapsed() < duration,
            Until::Calls(calls) => number < calls,
        };
        self.begun.set(number + 1);
        let request = self.requests.get(number % self.requests.len())?;
        goes_on.then_some(request)
    }
}

/// Runs clients with these requests in rotation; every answer must be a success.
pub(crate) fn drive(
    base: &str,
    clients: usize,
    until: Until,
    requests: Vec<Vec<u8>>,
) -> Result<Measured> {
    ensure!(!requests.is_empty(), "there are no requests");
    let address: SocketAddr = base.trim_start_matches("http://").parse().context("no address")?;
    let shared = Rc::new(Shared {
        requests,
        until,
        started: Instant::now(),
        begun: Cell::new(0),
        latencies: RefCell::default(),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    LocalSet::new().block_on(&runtime, async {
        let clients: Vec<_> = (0..clients)
            .map(|_| tokio::task::spawn_local(client(address, Rc::clone(&shared))))
            .collect();
        for client in clients {
            client.await.context("a client panicked")??;
        }
        Ok::<_, anyhow::Error>(())
    })?;
    let latencies = shared.latencies.take();
    Ok(Measured { calls: latencies.len(), elapsed: shared.started.elapsed(), latencies })
}

/// The median latencies of two requests that one client sends by turns, in milliseconds: what slows the machine down for a
/// while slows both.
pub(super) fn by_turns(base: &str, turns: usize, requests: [Vec<u8>; 2]) -> Result<(f64, f64)> {
    let measured = drive(base, 1, Until::Calls(2 * turns), requests.into())?;
    let pairs = measured.latencies.chunks_exact(2);
    let (first, second) = pairs.filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).unzip();
    Ok((median_ms(first), median_ms(second)))
}

/// Waits between two looks at the service.
pub(super) fn pause(duration: Duration) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    runtime.block_on(async { tokio::time::sleep(duration).await });
    Ok(())
}

/// Makes one call on a new connection, which must succeed; returns the body of the answer.
pub(crate) fn ask(base: &str, request: &[u8]) -> Result<Vec<u8>> {
    let address: SocketAddr = base.trim_start_matches("http://").parse().context("no address")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        stream.write_all(request).await?;
        let mut buffer = Vec::with_capacity(64 << 10);
        let line = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
        let head = read_answer(&mut stream, &mut buffer)
            .await
            .with_context(|| format!("to {}", String::from_utf8_lossy(line)))?;
        Ok(buffer.split_off(head))
    })
}

async fn client(address: SocketAddr, shared: Rc<Shared>) -> Result<()> {
    let mut stream =
        TcpStream::connect(address).await.context("the service accepts no connection")?;
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(64 << 10);
    while let Some(request) = shared.next() {
        let asked = Instant::now();
        stream.write_all(request).await?;
        read_answer(&mut stream, &mut buffer).await?;
        shared.latencies.borrow_mut().push(asked.elapsed());
    }
    Ok(())
}

/// Reads one answer to its end; returns the offset of its body.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<usize> {
    buffer.clear();
    loop {
        ensure!(stream.read_buf(buffer).await? > 0, "the service closed the connection");
        if let Some((head, length)) = length(buffer)? {
            while buffer.len() < length {
                ensure!(
                    stream.read_buf(buffer).await? > 0,
                    "the service closed the connection within an answer"
                );
            }
            return Ok(head);
        }
    }
}

/// The length of its head and of the whole answer, once the head has arrived.
fn length(answer: &[u8]) -> Result<Option<(usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 40];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head_length) = head.parse(answer)? else {
        return Ok(None);
    };
    let status = head.code.unwrap_or_default();
    if !(200..300).contains(&status) {
        bail!("the service answered {status}: {}", String::from_utf8_lossy(answer));
    }
    if status == 204 {
        return Ok(Some((head_length, head_length)));
    }
    let header = head.headers.iter().find(|it| it.name.eq_ignore_ascii_case("content-length"));
    let length = header.context("the answer has no length")?.value;
    let length: usize = std::str::from_utf8(length)?.parse()?;
    Ok(Some((head_length, head_length + length)))
}

/// An address of the contacts interface.
pub(super) fn path(rest: &str) -> String {
    format!("/api/public/v1{rest}")
}
