//! Calls to the service's interfaces.

use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Method, RequestBuilder};
use serde_json::Value;
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

/// How long a call may take.
const DEADLINE: Duration = Duration::from_mins(1);

/// The longest answer that is read.
const MAX_ANSWER: usize = 256 << 20;

/// Calls with one API key.
#[derive(Clone)]
pub struct Caller {
    client: Client,
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
    /// The client cannot be created.
    #[error("the HTTP client cannot be created")]
    Client(#[source] reqwest::Error),
    /// There was no answer.
    #[error("the service cannot be reached")]
    Unreachable(#[source] reqwest::Error),
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
        // Redirects are not followed, so that the key is sent to no other address.
        let builder = || Client::builder().redirect(Policy::none()).no_proxy().timeout(DEADLINE);
        // A system without certificates of its own gets Mozilla's list.
        let list = TLS_SERVER_ROOT_CERTS.iter().map(|der| Certificate::from_der(der));
        let client = builder().build().or_else(|_none| {
            builder().tls_certs_only(list.collect::<Result<Vec<_>, _>>()?).build()
        });
        Ok(Self { client: client.map_err(CallError::Client)?, key: key.to_owned() })
    }

    /// Sends a request, with a JSON body when there is one.
    pub async fn call(
        &self,
        method: Method,
        url: &str,
        body: Option<&Value>,
    ) -> Result<Answer, CallError> {
        let request = self.client.request(method, url).bearer_auth(&self.key);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        answer(request).await
    }
}

async fn answer(request: RequestBuilder) -> Result<Answer, CallError> {
    let late_or = |error: reqwest::Error, other: fn(reqwest::Error) -> CallError| {
        if error.is_timeout() { CallError::Late } else { other(error) }
    };
    let mut response =
        request.send().await.map_err(|error| late_or(error, CallError::Unreachable))?;
    let (status, headers) = (response.status().as_u16(), response.headers());
    let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let mut bytes = Vec::new();
    while let Some(chunk) =
        response.chunk().await.map_err(|error| late_or(error, |_broken| CallError::Broken))?
    {
        if bytes.len() + chunk.len() > MAX_ANSWER {
            return Err(CallError::Broken);
        }
        bytes.extend_from_slice(&chunk);
    }
    let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Ok(Answer { status, json, retry_after: seconds.map(Duration::from_secs) })
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
    pub fn description(&self) -> String {
        let message = ["/error/message", "/errors/0/details", "/message"];
        let message = message.iter().find_map(|path| self.json.pointer(path)?.as_str());
        format!("the service answered {}: {}", self.status, message.unwrap_or("no reason given"))
    }
}
