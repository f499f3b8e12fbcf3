//! One attempt: an HTTP exchange with an untrusted receiver.
//!
//! One deadline covers everything from the name look-up to the last byte of the answer that is kept. The amount read
//! is bounded: the head of an answer by the HTTP library, its body by the part that is kept; then the connection is
//! dropped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use contact_hub_domain::ports::Clock;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Answer, AttemptOutcome, AttemptResult, Claimed, ErrorClass, Headers, MAX_ANSWER, Secret,
    UrlPolicy, Vault, WebhookSender,
};
use contact_hub_traces::{AttemptOf, Span};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder, Response, retry};
use url::Url;

use crate::outcome::{class_of, retry_after};
use crate::request::{SentHeaders, signed_headers, with_headers};
use crate::resolver::{GuardedResolver, Lookup};

/// How long an idle connection is kept. Many servers close theirs after five seconds, and a request that races with
/// that would fail needlessly.
const IDLE: Duration = Duration::from_secs(4);

/// How many idle connections to a host are kept. A company may have several webhooks there, each with eight attempts at
/// once.
const IDLE_PER_HOST: usize = 64;

/// The time limits of an attempt.
#[derive(Clone, Copy, Debug)]
pub struct ClientLimits {
    /// For the whole attempt.
    pub deadline: Duration,
    /// For the name look-up, the connection and TLS together: a little less, so that an attempt fails with the class of its
    /// step.
    pub connect: Duration,
}

impl Default for ClientLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(15), connect: Duration::from_millis(14_500) }
    }
}

/// The client cannot be created.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client cannot be set up")]
pub struct SenderError(#[from] reqwest::Error);

/// Sends over HTTP.
pub struct HttpSender {
    client: Client,
    policy: UrlPolicy,
    deadline: Duration,
    vault: Arc<dyn Vault>,
    clock: Arc<dyn Clock>,
}

/// The answer of a receiver.
struct ReceiverAnswer {
    outcome: AttemptOutcome,
    retry_after: Option<Duration>,
    headers: Headers,
    answer: Option<Answer>,
}

impl HttpSender {
    /// A sender that connects to addresses that the policy permits.
    pub fn new(
        policy: UrlPolicy,
        limits: ClientLimits,
        lookup: Arc<dyn Lookup>,
        vault: Arc<dyn Vault>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SenderError> {
        let guard = Arc::new(policy.guard.clone());
        // A name server that does not answer leaves some of the time, so that the attempt fails with its own class.
        let resolver = Arc::new(GuardedResolver { lookup, guard, within: limits.connect * 9 / 10 });
        let client = client(Some(&resolver), limits.connect)?;
        Ok(Self { client, policy, deadline: limits.deadline, vault, clock })
    }

    /// The address and the headers of an attempt, or why it cannot be made.
    fn prepare(&self, claimed: &Claimed, at: Timestamp) -> Result<(Url, SentHeaders), ErrorClass> {
        // Checked at every attempt: the operator may permit less than when the address was saved. For a host that is
        // an IP address the connector uses no resolver.
        let permitted = self.policy.permit(&claimed.url).is_ok();
        let url = Url::parse(claimed.url.as_str()).ok().filter(|_| permitted);
        let url = url.ok_or(ErrorClass::BlockedAddress)?;
        let secrets = self.secrets(claimed).ok_or(ErrorClass::Internal)?;
        let mut headers = signed_headers(claimed.event_id, at, &secrets, &claimed.payload);
        headers.extend(contact_hub_traces::traceparent().map(|value| ("traceparent", value)));
        Ok((url, headers))
    }

    async fn attempt(&self, claimed: &Claimed, url: Url, headers: &SentHeaders) -> ReceiverAnswer {
        let request = with_headers(self.client.post(url), headers);
        match request.body(claimed.payload.clone()).send().await {
            Ok(response) => self.listen(response).await,
            Err(error) => {
                // An address may contain a token of the receiver.
                let error = error.without_url();
                tracing::debug!(webhook = %claimed.webhook_id, ?error, "an attempt failed");
                ReceiverAnswer::nothing(class_of(&error))
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

    async fn listen(&self, response: Response) -> ReceiverAnswer {
        let retry_after = retry_after(response.headers(), self.clock.now());
        let outcome = AttemptOutcome::Answered(response.status().as_u16());
        let headers = response.headers().iter();
        let headers = Headers::kept(headers.map(|(name, value)| (name.as_str(), value.as_bytes())));
        let body = beginning(response).await;
        let answer = (!body.is_empty()).then(|| Answer::from_bytes(&body));
        ReceiverAnswer { outcome, retry_after, headers, answer }
    }
}

#[async_trait]
impl WebhookSender for HttpSender {
    async fn send(&self, claimed: &Claimed) -> AttemptResult {
        let span = span(claimed);
        let result = span.around(self.send_within(claimed)).await;
        match result.outcome {
            AttemptOutcome::Answered(status) => {
                span.set("http.response.status_code", i64::from(status));
                if status >= 400 {
                    span.fail();
                }
            }
            AttemptOutcome::Failed(class) => {
                span.set("error.type", class.as_str());
                span.fail();
            }
        }
        result
    }
}

/// The span of an attempt.
fn span(claimed: &Claimed) -> Span {
    contact_hub_traces::attempt(&AttemptOf {
        company: claimed.company.uuid(),
        webhook: claimed.webhook_id.uuid(),
        delivery: claimed.delivery_id.uuid(),
        event: claimed.event_id.uuid(),
        kind: claimed.kind.as_str(),
        number: claimed.number,
    })
}

impl HttpSender {
    async fn send_within(&self, claimed: &Claimed) -> AttemptResult {
        let started_at = self.clock.now();
        let timer = Instant::now();
        let (heard, request_headers) = match self.prepare(claimed, started_at) {
            Ok((url, headers)) => {
                let attempt = Box::pin(self.attempt(claimed, url, &headers));
                let heard = tokio::time::timeout(self.deadline, attempt).await;
                let pairs = headers.iter().map(|(name, value)| (*name, value.as_bytes()));
                let nothing = |_passed| ReceiverAnswer::nothing(ErrorClass::Timeout);
                (heard.unwrap_or_else(nothing), Headers::kept(pairs))
            }
            Err(class) => (ReceiverAnswer::nothing(class), Headers::default()),
        };
        AttemptResult {
            started_at,
            duration: timer.elapsed(),
            outcome: heard.outcome,
            retry_after: heard.retry_after,
            answer: heard.answer,
            request_headers,
            answer_headers: heard.headers,
        }
    }
}

impl ReceiverAnswer {
    fn nothing(class: ErrorClass) -> Self {
        Self {
            outcome: AttemptOutcome::Failed(class),
            retry_after: None,
            headers: Headers::default(),
            answer: None,
        }
    }
}

/// Reads the part of a body that is kept. If the body breaks off, the part that arrived is kept: the status is already
/// known.
async fn beginning(mut response: Response) -> Vec<u8> {
    let mut kept = Vec::new();
    while kept.len() < MAX_ANSWER
        && let Ok(Some(chunk)) = response.chunk().await
    {
        kept.extend_from_slice(&chunk);
    }
    kept.truncate(MAX_ANSWER);
    kept
}

/// A client for the addresses that the operator set, such as a collector of traces.
pub fn operator_client(connect: Duration) -> Result<Client, SenderError> {
    Ok(client(None, connect)?)
}

/// A client that dials what the resolver permits, or any address without one. The system's certificates are trusted, which
/// an operator may extend (also by `SSL_CERT_FILE`). Without any the client cannot be built; then it is Mozilla's list.
pub(crate) fn client(
    resolver: Option<&Arc<GuardedResolver>>,
    connect: Duration,
) -> reqwest::Result<Client> {
    let builder = || match resolver {
        Some(resolver) => builder(connect).dns_resolver(Arc::clone(resolver)),
        None => builder(connect),
    };
    builder().build().or_else(|_none| builder().tls_certs_only(mozilla()?).build())
}

fn builder(connect: Duration) -> ClientBuilder {
    Client::builder()
        .connect_timeout(connect)
        .redirect(Policy::none())
        .retry(retry::never())
        .no_proxy()
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(IDLE_PER_HOST)
}

fn mozilla() -> reqwest::Result<Vec<Certificate>> {
    let list = webpki_root_certs::TLS_SERVER_ROOT_CERTS;
    list.iter().map(|certificate| Certificate::from_der(certificate)).collect()
}
