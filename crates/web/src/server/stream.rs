//! A connection whose client must read answers at a minimum rate. Requests have their own deadlines; without this, a
//! client that reads nothing would keep its answer in memory as long as it likes.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use super::connections::Place;
use crate::patience::{MIN_RATE, Patience};

/// A connection with its place among all connections.
pub(super) struct PacedStream {
    io: TcpStream,
    pace: Pace,
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
        Self { io, pace: Pace { span: patience.0, stalled: None }, _place: place }
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
        match Pin::new(&mut self.io).poll_write(cx, bytes) {
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
