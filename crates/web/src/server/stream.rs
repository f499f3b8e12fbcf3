//! A connection whose client must read answers at a minimum rate. Requests have their own deadlines; without this, a
//! client that reads nothing would keep its answer in memory as long as it likes.
//!
//! Answers that become ready in one turn of a server thread are written at its end, one right after the other, except the
//! first one of a connection. Each write may wake a client, and a client on the same machine often takes the processor from
//! the thread. If each answer were written at once, the two would switch for each answer.

use std::io;
use std::mem;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::task::yield_now;
use tokio::time::{Instant, Sleep, sleep};

use super::connections::Place;
use crate::patience::{MIN_RATE, Patience};

/// A connection with its place among all connections.
pub(super) struct PacedStream {
    io: TcpStream,
    pace: Pace,
    turn: Turn,
    has_written: bool,
    _place: Place,
}

/// Whether a write waits for the end of the thread's turn.
enum Turn {
    /// Nothing was read since the last write: what is written continues an answer.
    Over,
    /// A request was read: the next write waits.
    Due,
    /// A write waits. Meanwhile nothing is read, so that the connection is in the same state afterwards as if it had not waited.
    Awaited { has_unread_input: bool },
}

/// How quickly the client reads. Time counts only while something waits to be written.
struct Pace {
    span: Duration,
    stalled: Option<Stalled>,
}

/// Something has waited to be written since a span began.
struct Stalled {
    span_ends: Pin<Box<Sleep>>,
    written: u64,
}

impl PacedStream {
    pub(super) const fn new(io: TcpStream, place: Place, patience: Patience) -> Self {
        Self {
            io,
            pace: Pace { span: patience.0, stalled: None },
            turn: Turn::Over,
            has_written: false,
            _place: place,
        }
    }

    /// Notes that this much was read; nothing means that the client has closed its side.
    const fn has_read(&mut self, bytes: usize) {
        // A connection's first write does not wait: it may be the 408 for a head that did not arrive in time, and the
        // framework adds another 408 each time it polls such a connection. Neither does an answer after the end of the
        // input: then the framework writes only what it has encoded until a write has to wait.
        self.turn = if self.has_written && bytes > 0 { Turn::Due } else { Turn::Over };
    }

    /// Waits for the end of the thread's turn before an answer is written.
    fn poll_turn(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match mem::replace(&mut self.turn, Turn::Over) {
            Turn::Over => Poll::Ready(()),
            Turn::Due => {
                self.turn = Turn::Awaited { has_unread_input: false };
                pin!(yield_now()).poll(cx)
            }
            Turn::Awaited { has_unread_input } => {
                if has_unread_input {
                    cx.waker().wake_by_ref();
                }
                Poll::Ready(())
            }
        }
    }
}

impl Pace {
    /// Notes that the client has read this many of the waiting bytes.
    fn wrote(&mut self, written: usize, waiting: usize) {
        if written >= waiting {
            self.stalled = None;
        } else if let Some(stalled) = &mut self.stalled {
            stalled.written += u64::try_from(written).unwrap_or(u64::MAX);
        }
    }

    /// Called while the client reads nothing more; returns an error once it has read too little within a span.
    fn poll_stalled(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let span = self.span;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Stalled { span_ends: Box::pin(sleep(span)), written: 0 });
        loop {
            ready!(stalled.span_ends.as_mut().poll(cx));
            if stalled.written < MIN_RATE.saturating_mul(span.as_secs().max(1)) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            stalled.written = 0;
            stalled.span_ends.as_mut().reset(Instant::now() + span);
        }
    }
}

impl AsyncRead for PacedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if let Turn::Awaited { has_unread_input } = &mut this.turn {
            ready!(this.io.poll_read_ready(cx))?;
            *has_unread_input = true;
            return Poll::Pending;
        }
        let had = buffer.filled().len();
        ready!(Pin::new(&mut this.io).poll_read(cx, buffer))?;
        this.has_read(buffer.filled().len() - had);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for PacedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_turn(cx));
        let written = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.has_written |= written.is_ready();
        match written {
            Poll::Ready(Ok(written)) => {
                self.pace.wrote(written, bytes.len());
                Poll::Ready(Ok(written))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => self.pace.poll_stalled(cx),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::super::connections::Connections;
    use super::*;

    /// Both ends of a new connection.
    async fn connection() -> (PacedStream, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (io, peer) = listener.accept().await.unwrap();
        let place = Arc::new(Connections::new(1, 1)).take(peer.ip(), false).unwrap();
        (PacedStream::new(io, place, Patience(Duration::from_secs(30))), client)
    }

    /// Both ends of a connection whose first request was answered, and whose second one was read.
    async fn second_request() -> (PacedStream, TcpStream) {
        let (mut stream, mut client) = connection().await;
        stream.write_all(b"answer").await.unwrap();
        client.read_exact(&mut [0; 6]).await.unwrap();
        client.write_all(b"request").await.unwrap();
        stream.read_exact(&mut [0; 7]).await.unwrap();
        (stream, client)
    }

    /// Whether a write succeeds in the turn in which it begins.
    async fn writes_at_once(stream: &mut PacedStream, text: &[u8]) -> bool {
        poll_fn(|cx| Poll::Ready(Pin::new(&mut *stream).poll_write(cx, text).is_ready())).await
    }

    #[tokio::test]
    async fn an_answer_waits_for_the_end_of_the_turn_once() {
        let (mut stream, mut client) = second_request().await;
        assert!(!writes_at_once(&mut stream, b"answer").await);
        stream.write_all(b"answer").await.unwrap();
        assert!(writes_at_once(&mut stream, b", its end").await);
        drop(stream);
        let mut received = String::new();
        client.read_to_string(&mut received).await.unwrap();
        assert_eq!(received, "answer, its end");
    }

    #[tokio::test]
    async fn answers_of_one_turn_are_written_after_the_last_of_them_is_ready() {
        let (mut first, _first_client) = second_request().await;
        let (mut second, _second_client) = second_request().await;
        let steps = std::cell::RefCell::new(Vec::new());
        let answer = async |stream: &mut PacedStream| {
            steps.borrow_mut().push("ready");
            stream.write_all(b"answer").await.unwrap();
            steps.borrow_mut().push("written");
        };
        tokio::join!(answer(&mut first), answer(&mut second));
        assert_eq!(steps.into_inner(), ["ready", "ready", "written", "written"]);
    }

    #[tokio::test]
    async fn the_first_answer_of_a_connection_is_written_at_once() {
        let (mut stream, mut client) = connection().await;
        client.write_all(b"request").await.unwrap();
        stream.read_exact(&mut [0; 7]).await.unwrap();
        assert!(writes_at_once(&mut stream, b"answer").await);
    }

    #[tokio::test]
    async fn an_answer_is_written_at_once_if_the_client_has_closed_its_side() {
        let (mut stream, mut client) = second_request().await;
        client.shutdown().await.unwrap();
        assert_eq!(stream.read(&mut [0; 7]).await.unwrap(), 0);
        assert!(writes_at_once(&mut stream, b"answer").await);
    }

    #[tokio::test]
    async fn nothing_is_read_while_an_answer_waits() {
        let (mut stream, mut client) = second_request().await;
        client.write_all(b"request").await.unwrap();
        stream.io.readable().await.unwrap();
        assert!(!writes_at_once(&mut stream, b"answer").await);
        let mut buffer = [0; 8];
        let has_read = poll_fn(|cx| {
            let mut buffer = ReadBuf::new(&mut buffer);
            Poll::Ready(Pin::new(&mut stream).poll_read(cx, &mut buffer).is_ready())
        });
        assert!(!has_read.await);
        stream.write_all(b"answer").await.unwrap();
        assert_eq!(stream.read(&mut buffer).await.unwrap(), 7);
    }

    /// What was not read is read after the write, although no further input wakes the connection.
    #[tokio::test]
    async fn a_connection_is_polled_again_if_it_has_unread_input() {
        let (mut stream, mut client) = second_request().await;
        client.write_all(b"request").await.unwrap();
        stream.io.readable().await.unwrap();
        let mut received = [0; 8];
        let (mut begun, mut has_written) = (false, false);
        // As the framework does, each poll reads before it writes.
        let connection = poll_fn(|cx| {
            let mut buffer = ReadBuf::new(&mut received);
            if begun && Pin::new(&mut stream).poll_read(cx, &mut buffer).is_ready() {
                return Poll::Ready(buffer.filled().len());
            }
            begun = true;
            has_written = has_written || Pin::new(&mut stream).poll_write(cx, b"answer").is_ready();
            Poll::Pending
        });
        tokio::select! {
            // First, since the end of the time polls the connection as well.
            biased;
            () = sleep(Duration::from_secs(10)) => panic!("the connection is not polled again"),
            received = connection => assert_eq!(received, 7),
        }
        assert!(has_written);
    }
}
