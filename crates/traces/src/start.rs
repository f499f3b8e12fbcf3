//! Switches tracing on.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use reqwest::Client;
use reqwest::header::HeaderMap;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use url::Url;

use crate::active::{Active, activate};
use crate::export::{Collector, Worker};
use crate::origins::Origins;
use crate::queue::{dropped, queue};

/// How long the last spans may take to be exported when the service stops.
pub const FLUSH_WITHIN: Duration = Duration::from_secs(2);

/// What is traced, and where it is sent.
pub struct Options {
    /// The client that reaches the collector; it follows no redirects.
    pub client: Client,
    /// Where the collector takes traces.
    pub address: Url,
    /// Headers of each request, such as a token.
    pub headers: HeaderMap,
    /// The fraction of the traces that is exported, from 0 to 1.
    pub sample: f64,
    /// Whether a caller's trace is continued, with its decision whether it is sampled.
    pub trusts_callers: bool,
    /// The version of the service.
    pub version: &'static str,
    /// The id of this instance.
    pub instance: String,
}

/// Tracing was switched on before in this process.
#[derive(Debug, thiserror::Error)]
#[error("calls are traced already")]
pub struct AlreadyStarted;

/// The task that exports spans.
#[derive(Debug)]
pub struct Exporting {
    stop: Arc<Notify>,
    task: JoinHandle<()>,
}

/// Traces from now on, in the whole process. It needs a runtime.
pub fn start(options: Options) -> Result<Exporting, AlreadyStarted> {
    let resource = Resource::builder_empty().with_service_name("contact-hub").with_attributes([
        KeyValue::new("service.version", options.version),
        KeyValue::new("service.instance.id", options.instance),
    ]);
    let resource = resource.build();
    let (queue, spans) = queue();
    let collector = Collector {
        client: options.client,
        address: options.address,
        headers: options.headers,
        resource: (&resource).into(),
    };
    let sampler = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(options.sample)));
    let provider = SdkTracerProvider::builder().with_span_processor(queue).with_sampler(sampler);
    let tracer = provider.with_resource(resource).build().tracer("contact-hub");
    let trusts_callers = options.trusts_callers;
    if !activate(Active { tracer, trusts_callers, origins: Origins::default() }) {
        return Err(AlreadyStarted);
    }
    // They are shown from the start: Prometheus misses the first increase of a counter that appears with it.
    dropped("queue_full", 0);
    dropped("not_exported", 0);
    let stop = Arc::<Notify>::default();
    let worker = Worker { spans, collector, is_stopping: false, warned: None };
    let stopped = Arc::clone(&stop);
    let task = tokio::spawn(async move { worker.run(&stopped).await });
    Ok(Exporting { stop, task })
}

impl Exporting {
    /// Exports what is left, within [`FLUSH_WITHIN`].
    pub async fn stop(mut self) {
        self.stop.notify_one();
        if timeout(FLUSH_WITHIN, &mut self.task).await.is_err() {
            self.task.abort();
            tracing::warn!("the last spans were not exported");
        }
    }
}
