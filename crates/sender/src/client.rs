//! One attempt: an HTTP exchange with an untrusted receiver.
//!
//! One deadline covers everything from the name look-up to the last byte of the answer that is kept. The amount read
//! is bounded: the head of an answer by the limits below, its body by the part that is kept; then the connection is
//! dropped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use contact_hub_domain::ports::Clock;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Answer, AttemptOutcome, AttemptResult, Claimed, ErrorClass, MAX_ANSWER, Secret, UrlPolicy,
    Vault, WebhookSender,
};
use http_body_util::{BodyExt, Full};
use hyper::Response;
use hyper::body::{Bytes, Incoming};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use url::Url;

use crate::outcome::{class_of, retry_after};
use crate::resolver::{GuardedResolver, Lookup};
use crate::{request, tls};

/// The largest head of an answer, in bytes.
const MAX_HEAD: usize = 32 * 1024;
const MAX_HEAD_LIST: u32 = 32 * 1024;

/// How long an idle connection is kept. Many servers close theirs after five seconds, and a request that races with
/// that would fail needlessly.
const IDLE: Duration = Duration::from_secs(4);

type Connector = HttpsConnector<HttpConnector<GuardedResolver>>;

/// The time limits of an attempt.
#[derive(Clone, Copy, Debug)]
pub struct ClientLimits {
    /// For the whole attempt.
    pub deadline: Duration,
    /// For the connection.
    pub connect: Duration,
}

impl Default for ClientLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(15), connect: Duration::from_secs(5) }
    }
}

/// The client cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("TLS cannot be set up")]
pub struct SenderError(#[from] rustls::Error);

/// Sends over HTTP.
pub struct HttpSender {
    client: Client<Connector, Full<Bytes>>,
    policy: UrlPolicy,
    limits: ClientLimits,
    user_agent: String,
    vault: Arc<dyn Vault>,
    clock: Arc<dyn Clock>,
}

/// What a receiver answered.
struct ReceiverAnswer {
    outcome: AttemptOutcome,
    retry_after: Option<Duration>,
    answer: Option<Answer>,
}

impl HttpSender {
    /// A sender that dials the addresses that the policy permits.
    pub fn new(
        policy: UrlPolicy,
        limits: ClientLimits,
        lookup: Arc<dyn Lookup>,
        vault: Arc<dyn Vault>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SenderError> {
        let resolver = GuardedResolver { lookup, guard: Arc::new(policy.guard.clone()) };
        let client = client(resolver, limits.connect)?;
        let user_agent = concat!("contact-hub/", env!("CARGO_PKG_VERSION")).to_owned();
        Ok(Self { client, policy, limits, user_agent, vault, clock })
    }

    async fn attempt(&self, claimed: &Claimed, at: Timestamp) -> ReceiverAnswer {
        // Checked at every attempt: the operator may permit less than when the address was saved. For a host that is
        // an IP address the connector uses no resolver.
        let permitted = self.policy.permit(&claimed.url).is_ok();
        let Some(url) = Url::parse(claimed.url.as_str()).ok().filter(|_| permitted) else {
            return ReceiverAnswer::nothing(ErrorClass::BlockedAddress);
        };
        let Some(secrets) = self.secrets(claimed) else {
            return ReceiverAnswer::nothing(ErrorClass::Internal);
        };
        let (event, payload) = (claimed.event_id, &claimed.payload);
        match request::signed(&url, &self.user_agent, event, at, &secrets, payload) {
            Ok(request) => match self.client.request(request).await {
                Ok(response) => self.listen(response).await,
                Err(error) => {
                    tracing::debug!(webhook = %claimed.webhook_id, ?error, "an attempt failed");
                    ReceiverAnswer::nothing(class_of(&error))
                }
            },
            Err(error) => {
                tracing::error!(webhook = %claimed.webhook_id, %error, "a request cannot be made");
                ReceiverAnswer::nothing(ErrorClass::Internal)
            }
        }
    }

    fn secrets(&self, claimed: &Claimed) -> Option<Vec<Secret>> {
        let opened = claimed.secrets.iter().map(|(id, sealed)| self.vault.open(*id, sealed));
        match opened.collect::<Result<Vec<_>, _>>() {
            Ok(secrets) if !secrets.is_empty() => Some(secrets),
            Ok(_none) => {
                tracing::error!(webhook = %claimed.webhook_id, "a webhook has no secret");
                None
            }
            Err(error) => {
                tracing::error!(webhook = %claimed.webhook_id, %error, "a secret cannot be used");
                None
            }
        }
    }

    async fn listen(&self, response: Response<Incoming>) -> ReceiverAnswer {
        let retry_after = retry_after(response.headers(), self.clock.now());
        let outcome = AttemptOutcome::Answered(response.status().as_u16());
        let body = beginning(response.into_body()).await;
        let answer = (!body.is_empty()).then(|| Answer::from_bytes(&body));
        ReceiverAnswer { outcome, retry_after, answer }
    }
}

#[async_trait]
impl WebhookSender for HttpSender {
    async fn send(&self, claimed: &Claimed) -> AttemptResult {
        let started_at = self.clock.now();
        let timer = Instant::now();
        let attempt = Box::pin(self.attempt(claimed, started_at));
        let heard = tokio::time::timeout(self.limits.deadline, attempt).await;
        let ReceiverAnswer { outcome, retry_after, answer } =
            heard.unwrap_or_else(|_passed| ReceiverAnswer::nothing(ErrorClass::Timeout));
        AttemptResult { started_at, duration: timer.elapsed(), outcome, retry_after, answer }
    }
}

impl ReceiverAnswer {
    const fn nothing(class: ErrorClass) -> Self {
        Self { outcome: AttemptOutcome::Failed(class), retry_after: None, answer: None }
    }
}

/// Reads the part of a body that is kept. If the body breaks off, what arrived is kept: the status is known already.
async fn beginning(mut body: Incoming) -> Vec<u8> {
    let mut kept = Vec::new();
    while kept.len() < MAX_ANSWER {
        match body.frame().await {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    kept.extend_from_slice(data);
                }
            }
            Some(Err(_)) | None => break,
        }
    }
    kept.truncate(MAX_ANSWER);
    kept
}

fn client(
    resolver: GuardedResolver,
    connect: Duration,
) -> Result<Client<Connector, Full<Bytes>>, rustls::Error> {
    let mut http = HttpConnector::new_with_resolver(resolver);
    http.enforce_http(false);
    http.set_nodelay(true);
    http.set_connect_timeout(Some(connect));
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls::config()?)
        .https_or_http()
        .enable_all_versions()
        .wrap_connector(http);
    Ok(Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(8)
        .http1_max_buf_size(MAX_HEAD)
        .http2_max_header_list_size(MAX_HEAD_LIST)
        .build(connector))
}
