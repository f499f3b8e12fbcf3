//! Calls of the hub.

use std::time::Duration;

use reqwest::Method;
use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How long a connection may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);

/// How long an answer, or a part of it, may take; a call of the feed is held for 25 seconds.
const ANSWER_WITHIN: Duration = Duration::from_mins(1);

/// A hub and a key.
pub(crate) struct Hub {
    client: Client,
    url: String,
    key: String,
}

/// Why a step failed.
pub(crate) enum Failure {
    /// A retry may succeed, after the time that the hub names.
    Later {
        /// What happened.
        why: String,
        /// The header `Retry-After`.
        after: Option<Duration>,
    },
    /// Entries after the cursor are no longer kept.
    Expired,
    /// The hub rejects what the call asks for.
    Invalid(String),
    /// The hub refuses the call.
    Refused(String),
    /// The copy cannot be read or written.
    Copy(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Copy(error)
    }
}

impl Failure {
    /// An answer that is missing, broken off or unreadable.
    pub(crate) fn broken(error: impl Into<anyhow::Error>) -> Self {
        Self::Later { why: format!("{:#}", error.into()), after: None }
    }
}

impl Hub {
    /// Prepares calls; none is made.
    pub(crate) fn new(url: &str, key: &str) -> reqwest::Result<Self> {
        // Redirects are not followed, so that the key is sent to no other address.
        let client = Client::builder().redirect(Policy::none());
        let client = client.connect_timeout(CONNECT_WITHIN).timeout(ANSWER_WITHIN).build()?;
        Ok(Self { client, url: url.trim_end_matches('/').to_owned(), key: key.to_owned() })
    }

    /// Reads an answer part by part.
    pub(crate) fn open(&self, path: &str) -> Result<Response, Failure> {
        send(self.request(Method::GET, path))
    }

    /// Reads a JSON answer.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.open(path)?.json().map_err(Failure::broken)
    }

    /// Sends a JSON body, and reads a JSON answer.
    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, Failure> {
        let request = self.request(Method::POST, path).json(body);
        send(request)?.json().map_err(Failure::broken)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url)).bearer_auth(&self.key)
    }
}

fn send(request: RequestBuilder) -> Result<Response, Failure> {
    let response = request.send().map_err(Failure::broken)?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let after = response.headers().get(RETRY_AFTER).and_then(|it| it.to_str().ok()?.parse().ok());
    let why = format!("the hub answered {status}: {}", response.text().unwrap_or_default());
    Err(match status.as_u16() {
        410 => Failure::Expired,
        408 | 429 | 500.. => Failure::Later { why, after: after.map(Duration::from_secs) },
        422 => Failure::Invalid(why),
        _ => Failure::Refused(why),
    })
}
