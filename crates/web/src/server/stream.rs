//! A connection whose client must read answers at a minimum rate. Requests have their own deadlines; without this, a
//! client that reads nothing would keep its answer in memory as long as it likes.
//!
//! Answers that become ready in one turn of a server thread are written at its end, one right after the other. Each write may
//! wake a client, and a client on the same machine often takes the processor from the thread. If each answer were written at
//! once, the two would switch for each answer.

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
    write: Write,
    _place: Place,
}

/// A write, and whether it still waits for the end of the thread's turn.
enum Write {
    /// Nothing waits to be written.
    None,
    /// Meanwhile nothing is read, so that the connection is in the same state afterwards as if the write had not waited.
    WaitsForTurn { has_unread_input: bool },
    /// The turn is over; from here on, only the client can delay the write.
    Begun,
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
            // A connection's first write does not wait: it may be the 408 for a head that did not arrive in time, and the
            // framework adds another 408 each time it polls such a connection.
            write: Write::Begun,
            _place: place,
        }
    }

    /// Waits for the end of the thread's turn before a write begins.
    fn poll_turn(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match mem::replace(&mut self.write, Write::Begun) {
            Write::None => {
                self.write = Write::WaitsForTurn { has_unread_input: false };
                pin!(yield_now()).poll(cx)
            }
            Write::WaitsForTurn { has_unread_input } => {
                if has_unread_input {
                    cx.waker().wake_by_ref();
                }
                Poll::Ready(())
            }
            Write::Begun => Poll::Ready(()),
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
        if let Write::WaitsForTurn { has_unread_input } = &mut this.write {
            ready!(this.io.poll_read_ready(cx))?;
            *has_unread_input = true;
            return Poll::Pending;
        }
        Pin::new(&mut this.io).poll_read(cx, buffer)
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
        if written.is_ready() {
            self.write = Write::None;
        }
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
    use std::cell::RefCell;
    use std::future::poll_fn;
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::super::connections::Connections;
    use super::*;

    /// Both ends of a connection whose first answer is written.
    async fn connection() -> (PacedStream, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (io, peer) = listener.accept().await.unwrap();
        let place = Arc::new(Connections::new(1, 1)).take(peer.ip(), false).unwrap();
        let mut stream = PacedStream::new(io, place, Patience(Duration::from_secs(30)));
        assert_eq!(stream.write(b"first").await.unwrap(), 5);
        client.read_exact(&mut [0; 5]).await.unwrap();
        (stream, client)
    }

    #[tokio::test]
    async fn answers_of_one_turn_are_written_at_its_end() {
        let (mut first, mut first_client) = connection().await;
        let (mut second, mut second_client) = connection().await;
        let steps = RefCell::new(Vec::new());
        let note = |step: &'static str| steps.borrow_mut().push(step);
        let answer = async |stream: &mut PacedStream| {
            for _call in 0..2 {
                note("encoded");
                stream.write_all(b"answer").await.unwrap();
                note("written");
            }
        };
        tokio::join!(answer(&mut first), answer(&mut second));
        let turn = ["encoded", "encoded", "written"];
        assert_eq!(steps.into_inner().get(..3), Some(&turn[..]));
        drop((first, second));
        for client in [&mut first_client, &mut second_client] {
            let mut received = String::new();
            client.read_to_string(&mut received).await.unwrap();
            assert_eq!(received, "answeranswer");
        }
    }

    #[tokio::test]
    async fn nothing_is_read_while_an_answer_waits_for_its_turn() {
        let (mut stream, mut client) = connection().await;
        client.write_all(b"input").await.unwrap();
        stream.io.readable().await.unwrap();
        let mut buffer = [0; 8];
        let has_waited = poll_fn(|cx| {
            let write = Pin::new(&mut stream).poll_write(cx, b"answer");
            let mut buffer = ReadBuf::new(&mut buffer);
            let read = Pin::new(&mut stream).poll_read(cx, &mut buffer);
            Poll::Ready(write.is_pending() && read.is_pending() && buffer.filled().is_empty())
        })
        .await;
        assert!(has_waited);
        stream.write_all(b"answer").await.unwrap();
        assert_eq!(stream.read(&mut buffer).await.unwrap(), 5);
    }

    /// What was not read is read after the write, although no further input wakes the connection.
    #[tokio::test]
    async fn a_connection_is_polled_again_if_it_has_unread_input() {
        let (mut stream, mut client) = connection().await;
        client.write_all(b"input").await.unwrap();
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
            received = connection => assert_eq!(received, 5),
        }
        assert!(has_written);
    }
}
