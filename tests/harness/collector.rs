//! A collector of traces on this machine: OTLP over HTTP with Protocol Buffers.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use prost::Message as _;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Keeps the spans that it receives.
pub struct Collector {
    address: SocketAddr,
    kept: watch::Receiver<Kept>,
    task: JoinHandle<()>,
}

/// What was received.
#[derive(Clone, Default)]
struct Kept {
    spans: Vec<SpanSeen>,
    heads: Vec<String>,
}

/// A span, with its ids in hexadecimal digits.
#[derive(Clone, Debug)]
pub struct SpanSeen {
    /// Its name.
    pub name: String,
    /// The id of its trace.
    pub trace: String,
    /// Its id.
    pub id: String,
    /// The id of its parent; empty for none.
    pub parent: String,
    /// Its attributes as texts.
    pub attributes: BTreeMap<String, String>,
    /// The traces to which it links.
    pub links: Vec<String>,
    /// Whether it failed.
    pub has_failed: bool,
}

impl Collector {
    /// Takes all spans.
    pub async fn start() -> Self {
        Self::answering(true).await
    }

    /// Accepts connections and never answers.
    pub async fn hanging() -> Self {
        Self::answering(false).await
    }

    async fn answering(answers: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (keep, kept) = watch::channel(Kept::default());
        let keep = Arc::new(keep);
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, answers, Arc::clone(&keep)));
            }
        });
        Self { address, kept, task }
    }

    /// The address for `--otlp-endpoint`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The spans so far.
    #[must_use]
    pub fn spans(&self) -> Vec<SpanSeen> {
        self.kept.borrow().spans.clone()
    }

    /// The heads of the requests so far.
    #[must_use]
    pub fn heads(&self) -> Vec<String> {
        self.kept.borrow().heads.clone()
    }

    /// Waits for spans that satisfy the condition together; returns all.
    pub async fn wait(&self, is_enough: impl Fn(&[SpanSeen]) -> bool) -> Vec<SpanSeen> {
        let mut kept = self.kept.clone();
        let enough = kept.wait_for(|kept| is_enough(&kept.spans));
        let waited = tokio::time::timeout(Duration::from_secs(30), enough).await;
        assert!(waited.is_ok(), "{:#?}", self.spans());
        self.spans()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, answers: bool, keep: Arc<watch::Sender<Kept>>) {
    while let Some((head, body)) = read(&mut stream).await {
        let request = ExportTraceServiceRequest::decode(body.as_slice()).expect("OTLP");
        keep.send_modify(|kept| {
            kept.heads.push(head);
            kept.spans.extend(seen(request));
        });
        let answer =
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n";
        if !answers {
            std::future::pending::<()>().await;
        }
        if stream.write_all(answer.as_bytes()).await.is_err() {
            break;
        }
    }
}

/// Reads one request; `None` when the connection ends.
async fn read(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(chunk.get(..count)?);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        if bytes.len() >= end + 4 + length {
            return Some((head, bytes[end + 4..].to_vec()));
        }
    }
}

fn seen(request: ExportTraceServiceRequest) -> Vec<SpanSeen> {
    let scopes = request.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
    let spans = scopes.flat_map(|scope| scope.spans);
    let span = |span: opentelemetry_proto::tonic::trace::v1::Span| SpanSeen {
        name: span.name,
        trace: hex(&span.trace_id),
        id: hex(&span.span_id),
        parent: hex(&span.parent_span_id),
        attributes: span.attributes.into_iter().map(attribute).collect(),
        links: span.links.iter().map(|link| hex(&link.trace_id)).collect(),
        has_failed: span.status.is_some_and(|status| status.code() == StatusCode::Error),
    };
    spans.map(span).collect()
}

fn attribute(attribute: KeyValue) -> (String, String) {
    let text = match attribute.value {
        Some(AnyValue { value: Some(any_value::Value::StringValue(text)) }) => text,
        Some(AnyValue { value: Some(any_value::Value::IntValue(number)) }) => number.to_string(),
        other => format!("{other:?}"),
    };
    (attribute.key, text)
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("written");
        text
    })
}
