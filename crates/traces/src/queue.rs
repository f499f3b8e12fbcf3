//! Spans that have ended and wait to be exported.

use std::time::Duration;

use metrics::counter;
use opentelemetry::Context;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanProcessor};
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TrySendError};

/// The maximum number of spans that wait; each has at most a few KiB.
const MAX_WAITING: usize = 2048;

/// The sending end of the queue, which never blocks.
#[derive(Debug)]
pub(crate) struct Queue(Sender<SpanData>);

/// A queue: its sending and its receiving end.
pub(crate) fn queue() -> (Queue, Receiver<SpanData>) {
    let (sender, receiver) = channel(MAX_WAITING);
    (Queue(sender), receiver)
}

/// Counts spans that are not exported.
pub(crate) fn dropped(reason: &'static str, spans: usize) {
    let spans = u64::try_from(spans).unwrap_or(u64::MAX);
    counter!("contact_hub_trace_spans_dropped_total", "reason" => reason).increment(spans);
}

impl SpanProcessor for Queue {
    fn on_start(&self, _span: &mut Span, _context: &Context) {}

    fn on_end(&self, span: SpanData) {
        match self.0.try_send(span) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => dropped("queue_full", 1),
            Err(TrySendError::Closed(_)) => dropped("stopped", 1),
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _timeout: Duration) -> OTelSdkResult {
        Ok(())
    }
}
