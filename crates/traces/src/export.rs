//! Sends spans to the collector, as OTLP over HTTP with Protocol Buffers.

use std::time::Duration;

use metrics::counter;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::trace::SpanData;
use prost::Message as _;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response, StatusCode};
use tokio::sync::Notify;
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use crate::queue::dropped;

/// The maximum number of spans of one request.
const MAX_BATCH: usize = 512;

/// How long spans are collected for a request.
const COLLECT: Duration = Duration::from_secs(1);

/// How long a request may take.
const DEADLINE: Duration = Duration::from_secs(5);

/// The longest answer that is read, in bytes.
const MAX_ANSWER: usize = 64 << 10;

/// The interval between warnings that the collector does not take spans.
const WARN_EVERY: Duration = Duration::from_mins(1);

/// Where spans are sent.
pub(crate) struct Collector {
    pub(crate) client: Client,
    pub(crate) address: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) resource: ResourceAttributesWithSchema,
}

/// Why spans were not exported.
#[derive(Debug, thiserror::Error)]
enum NotExported {
    #[error("the collector does not answer")]
    Away(#[source] reqwest::Error),
    #[error("the collector did not answer in time")]
    Late,
    #[error("the collector answered {0}")]
    Refused(StatusCode),
}

/// Exports until it is stopped and the queue is empty.
pub(crate) struct Worker {
    pub(crate) spans: Receiver<SpanData>,
    pub(crate) collector: Collector,
    pub(crate) is_stopping: bool,
    pub(crate) warned: Option<Instant>,
}

impl Worker {
    pub(crate) async fn run(mut self, stop: &Notify) {
        while let Some(batch) = self.collect(stop).await {
            self.export(batch).await;
        }
    }

    /// The next spans; `None` when there are no more.
    async fn collect(&mut self, stop: &Notify) -> Option<Vec<SpanData>> {
        let mut batch = Vec::new();
        let mut until = None;
        while batch.len() < MAX_BATCH {
            let (more, room) = (!self.is_stopping, MAX_BATCH - batch.len());
            tokio::select! {
                biased;
                () = stop.notified(), if more => {
                    self.is_stopping = true;
                    self.spans.close();
                }
                taken = next(&mut self.spans, &mut batch, room, until) => match taken {
                    Some(0) if batch.is_empty() => return None,
                    Some(0) | None => break,
                    Some(_) => { until.get_or_insert_with(|| Instant::now() + COLLECT); }
                },
            }
        }
        Some(batch)
    }

    async fn export(&mut self, batch: Vec<SpanData>) {
        let number = batch.len();
        let outcome = timeout(DEADLINE, self.collector.post(batch)).await;
        match outcome.unwrap_or(Err(NotExported::Late)) {
            Ok(rejected) => {
                let rejected = rejected.min(number);
                let exported = u64::try_from(number - rejected).unwrap_or(u64::MAX);
                counter!("contact_hub_trace_spans_exported_total").increment(exported);
                if rejected > 0 {
                    dropped("rejected", rejected);
                }
            }
            Err(error) => {
                dropped("not_exported", number);
                self.warn(&error);
            }
        }
    }

    fn warn(&mut self, error: &NotExported) {
        if self.warned.is_none_or(|warned| warned.elapsed() >= WARN_EVERY) {
            self.warned = Some(Instant::now());
            let cause = std::error::Error::source(error).map(ToString::to_string);
            tracing::warn!(%error, cause, "spans were not exported, and are dropped");
        }
    }
}

/// Takes what is in the queue, and waits until then if it is empty; `None` when the time is over.
async fn next(
    spans: &mut Receiver<SpanData>,
    batch: &mut Vec<SpanData>,
    room: usize,
    until: Option<Instant>,
) -> Option<usize> {
    let taken = spans.recv_many(batch, room);
    match until {
        Some(until) => timeout_at(until, taken).await.ok(),
        None => Some(taken.await),
    }
}

impl Collector {
    /// Sends spans; returns how many the collector rejected.
    async fn post(&self, spans: Vec<SpanData>) -> Result<usize, NotExported> {
        let resource_spans = group_spans_by_resource_and_scope(spans, &self.resource);
        let body = ExportTraceServiceRequest { resource_spans }.encode_to_vec();
        let request = self.client.post(self.address.clone()).headers(self.headers.clone());
        let request = request.header(CONTENT_TYPE, "application/x-protobuf").body(body);
        // The address may contain a secret.
        let away = |error: reqwest::Error| NotExported::Away(error.without_url());
        let response = request.send().await.map_err(away)?;
        if !response.status().is_success() {
            return Err(NotExported::Refused(response.status()));
        }
        Ok(rejected(&beginning(response).await))
    }
}

/// How many spans an answer says were rejected.
fn rejected(answer: &[u8]) -> usize {
    let answer = ExportTraceServiceResponse::decode(answer).unwrap_or_default();
    let rejected = answer.partial_success.map_or(0, |partial| partial.rejected_spans);
    usize::try_from(rejected).unwrap_or(0)
}

async fn beginning(mut response: Response) -> Vec<u8> {
    let mut kept = Vec::new();
    while kept.len() < MAX_ANSWER
        && let Ok(Some(chunk)) = response.chunk().await
    {
        kept.extend_from_slice(&chunk);
    }
    kept
}
