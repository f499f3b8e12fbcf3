//! A connection whose client must read answers at a minimum rate. Requests have their own deadlines; without this, a
//! client that reads nothing would keep its answer in memory as long as it likes.
//!
//! Answers that become ready in one turn of a server thread are written at its end, one right after the other. Each write may
//! wake a client, and a client on the same machine often takes the processor from the thread: after each answer it would be
//! woken for one answer only.

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
    /// The write that begins has waited for the end of the thread's turn.
    has_waited: bool,
    _place: Place,
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
            has_waited: false,
            _place: place,
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
        Pin::new(&mut self.io).poll_read(cx, buffer)
    }
}

impl AsyncWrite for PacedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if !mem::replace(&mut self.has_waited, true) {
            ready!(pin!(yield_now()).poll(cx));
        }
        let written = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.has_waited = written.is_pending();
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
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::super::connections::Connections;
    use super::*;

    /// Both ends of a connection.
    async fn connection() -> (PacedStream, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (io, peer) = listener.accept().await.unwrap();
        let place = Arc::new(Connections::new(1, 1)).take(peer.ip(), false).unwrap();
        (PacedStream::new(io, place, Patience(Duration::from_secs(30))), client)
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
}
