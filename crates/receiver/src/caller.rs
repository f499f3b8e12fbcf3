//! Calls to the service's interfaces.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use hyper::{Method, Request};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;

/// How long a call may take.
const DEADLINE: Duration = Duration::from_mins(1);

/// The longest answer that is read.
const MAX_ANSWER: usize = 256 << 20;

/// Calls with one API key.
#[derive(Clone)]
pub struct Caller {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    key: String,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The body, null when there is none.
    pub json: Value,
    /// How long the service asks to wait.
    pub retry_after: Option<Duration>,
}

/// A call without an answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// TLS cannot be set up.
    #[error("TLS cannot be set up")]
    Tls(#[from] rustls::Error),
    /// The address or the key cannot be sent.
    #[error("the address or the key cannot be sent")]
    Request(#[from] hyper::http::Error),
    /// There was no answer.
    #[error("the service cannot be reached")]
    Unreachable(#[from] hyper_util::client::legacy::Error),
    /// The answer broke off, or is too long.
    #[error("the answer cannot be read")]
    Broken,
    /// It took too long.
    #[error("the service takes too long")]
    Late,
}

impl Caller {
    /// Creates a caller with this key.
    pub fn new(key: &str) -> Result<Self, CallError> {
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls()?)
            .https_or_http()
            .enable_all_versions()
            .build();
        Ok(Self {
            client: Client::builder(TokioExecutor::new()).build(connector),
            key: key.to_owned(),
        })
    }

    /// Sends a request, with a JSON body when there is one.
    pub async fn call(
        &self,
        method: Method,
        url: &str,
        body: Option<&Value>,
    ) -> Result<Answer, CallError> {
        let request = Request::builder()
            .method(method)
            .uri(url)
            .header(AUTHORIZATION, format!("Bearer {}", self.key))
            .header(CONTENT_TYPE, "application/json");
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = request.body(Full::new(Bytes::from(body)))?;
        let answer = tokio::time::timeout(DEADLINE, self.answer(request)).await;
        answer.unwrap_or(Err(CallError::Late))
    }

    async fn answer(&self, request: Request<Full<Bytes>>) -> Result<Answer, CallError> {
        let response = self.client.request(request).await?;
        let (status, headers) = (response.status().as_u16(), response.headers());
        let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let body = Limited::new(response.into_body(), MAX_ANSWER).collect().await;
        let bytes = body.map_err(|_broken| CallError::Broken)?.to_bytes();
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Ok(Answer { status, json, retry_after: seconds.map(Duration::from_secs) })
    }
}

impl Answer {
    /// Whether it succeeded.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// Whether a retry may succeed.
    #[must_use]
    pub const fn may_succeed_later(&self) -> bool {
        matches!(self.status, 429 | 500..=599)
    }

    /// The status and the service's message.
    #[must_use]
    pub fn told(&self) -> String {
        let message = ["/error/message", "/errors/0/details", "/message"];
        let message = message.iter().find_map(|path| self.json.pointer(path)?.as_str());
        format!("the service answered {}: {}", self.status, message.unwrap_or("no reason given"))
    }
}

/// Trusts the system's certificates, and Mozilla's list on a system that has none.
fn tls() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
