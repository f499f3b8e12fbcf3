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
    Answer, AttemptOutcome, AttemptResult, Claimed, ErrorClass, MAX_ANSWER, Secret, UrlPolicy,
    Vault, WebhookSender,
};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder, Response, retry};
use url::Url;

use crate::outcome::{class_of, retry_after};
use crate::request::signed;
use crate::resolver::{GuardedResolver, Lookup};

/// How long an idle connection is kept. Many servers close theirs after five seconds, and a request that races with
/// that would fail needlessly.
const IDLE: Duration = Duration::from_secs(4);

/// The time limits of an attempt.
#[derive(Clone, Copy, Debug)]
pub struct ClientLimits {
    /// For the whole attempt.
    pub deadline: Duration,
    /// For the name look-up, the connection and TLS together.
    pub connect: Duration,
}

impl Default for ClientLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(15), connect: Duration::from_secs(10) }
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
        let resolver = Arc::new(GuardedResolver { lookup, guard, within: limits.connect * 3 / 4 });
        let builder = || builder(Arc::clone(&resolver), limits.connect);
        // The system's certificates are trusted, which an operator may extend (also by `SSL_CERT_FILE`). Without any
        // the client cannot be built; then it is Mozilla's list.
        let client =
            builder().build().or_else(|_none| builder().tls_certs_only(mozilla()?).build())?;
        Ok(Self { client, policy, deadline: limits.deadline, vault, clock })
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
        match signed(self.client.post(url), event, at, &secrets, payload).send().await {
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
        let body = beginning(response).await;
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
        let heard = tokio::time::timeout(self.deadline, attempt).await;
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

fn builder(resolver: Arc<GuardedResolver>, connect: Duration) -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("contact-hub/", env!("CARGO_PKG_VERSION")))
        .dns_resolver(resolver)
        .connect_timeout(connect)
        .redirect(Policy::none())
        .retry(retry::never())
        .no_proxy()
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(8)
}

fn mozilla() -> reqwest::Result<Vec<Certificate>> {
    let list = webpki_root_certs::TLS_SERVER_ROOT_CERTS;
    list.iter().map(|certificate| Certificate::from_der(certificate)).collect()
}
