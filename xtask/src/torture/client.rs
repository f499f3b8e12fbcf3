//! Calls with a deadline. Their outcome is known, unknown, or they were not sent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use reqwest::Method;
use serde_json::Value;

use super::tally::Tally;

/// The deadline of a call.
pub(super) const CALL_WITHIN: Duration = Duration::from_secs(5);

/// How often a check is retried when the service does not answer.
const ASK_TIMES: u32 = 20;

/// The pause before a call is repeated.
const BEFORE_REPEATING: Duration = Duration::from_millis(100);

/// The outcome of a call.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It was answered with this status below 500 and this body.
    Answered(u16, Value),
    /// It never reached the service.
    NotSent,
    /// It may have taken effect, or may still do so.
    Unknown,
}

/// Calls the instances of the service with one key.
#[derive(Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    key: Arc<str>,
    bases: Arc<RwLock<Vec<String>>>,
    /// The results so far.
    pub(super) tally: Arc<Tally>,
    stopped: Arc<AtomicBool>,
}

impl Client {
    /// A client of the instances at these addresses, which may change.
    pub(super) fn new(
        key: &str,
        bases: Arc<RwLock<Vec<String>>>,
        tally: Arc<Tally>,
    ) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().connect_timeout(CALL_WITHIN).build()?;
        Ok(Self { http, key: key.into(), bases, tally, stopped: Arc::default() })
    }

    /// The same client for the next round; stopping the old one does not affect it.
    pub(super) fn renewed(&self) -> Self {
        Self { stopped: Arc::default(), ..self.clone() }
    }

    /// Requests the users of this client to stop.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the users of this client should stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Calls one of the instances.
    pub(super) async fn call(
        &self,
        instance: usize,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Outcome {
        self.call_with(instance, method, path, body, None).await
    }

    /// Sends a POST with an idempotency key, and repeats it at any instance while its outcome is unknown. If it were done
    /// twice, the answer would be another one than that of a call that is done once.
    pub(super) async fn call_once(
        &self,
        rng: &mut fastrand::Rng,
        path: &str,
        body: Option<&Value>,
        key: &str,
    ) -> Outcome {
        let mut was_sent = false;
        loop {
            match self.call_with(rng.usize(..), "POST", path, body, Some(key)).await {
                Outcome::NotSent if !was_sent => return Outcome::NotSent,
                Outcome::Answered(409, body) if is_in_use(&body) => {}
                Outcome::Answered(status, body) => {
                    if was_sent {
                        Tally::add(&self.tally.repeated);
                    }
                    return Outcome::Answered(status, body);
                }
                Outcome::NotSent | Outcome::Unknown => {}
            }
            was_sent = true;
            if self.is_stopped() {
                return Outcome::Unknown;
            }
            tokio::time::sleep(BEFORE_REPEATING).await;
        }
    }

    async fn call_with(
        &self,
        instance: usize,
        method: &str,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Outcome {
        let outcome = self.send(instance, method, path, body, key).await;
        let tally = &self.tally;
        match &outcome {
            Outcome::Answered(..) => Tally::add(&tally.operations),
            Outcome::Unknown => Tally::add(&tally.unknown),
            Outcome::NotSent => tokio::time::sleep(Duration::from_millis(50)).await,
        }
        outcome
    }

    async fn send(
        &self,
        instance: usize,
        method: &str,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Outcome {
        let Ok(method) = method.parse::<Method>() else { return Outcome::NotSent };
        let url = {
            let bases = self.bases.read().unwrap_or_else(PoisonError::into_inner);
            let Some(base) = bases.get(instance % bases.len().max(1)) else {
                return Outcome::NotSent;
            };
            format!("{base}{path}")
        };
        let mut request = self.http.request(method, url).bearer_auth(&self.key);
        if let Some(body) = body {
            request = request.json(body);
        }
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let response = match request.timeout(CALL_WITHIN).send().await {
            Ok(response) => response,
            Err(error) if error.is_connect() => return Outcome::NotSent,
            Err(_error) => return Outcome::Unknown,
        };
        let status = response.status().as_u16();
        match status {
            500 => Tally::add(&self.tally.internal),
            503 => Tally::add(&self.tally.unavailable),
            _ => {}
        }
        if status >= 500 {
            return Outcome::Unknown;
        }
        // The status is the acknowledgement; a success with a truncated body is acknowledged too, but cannot be used.
        match response.text().await {
            Ok(text) if text.is_empty() => Outcome::Answered(status, Value::Null),
            Ok(text) => match serde_json::from_str(&text) {
                Ok(body) => Outcome::Answered(status, body),
                Err(_not_json) => Outcome::Unknown,
            },
            Err(_cut) => Outcome::Unknown,
        }
    }

    /// Calls until there is an answer, and fails unless it has this status.
    pub(super) async fn expect(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        expected: u16,
    ) -> Result<Value> {
        for instance in 0..ASK_TIMES {
            match self.call(usize::try_from(instance)?, method, path, body).await {
                Outcome::Answered(status, body) if status == expected => return Ok(body),
                Outcome::Answered(status, body) => {
                    bail!("{method} {path} was answered {status} instead of {expected}: {body}")
                }
                Outcome::NotSent | Outcome::Unknown => {
                    tokio::time::sleep(Duration::from_millis(250)).await;
                }
            }
        }
        bail!("{method} {path} was not answered")
    }

    /// Like [`Self::expect`] with 200.
    pub(super) async fn get(&self, path: &str) -> Result<Value> {
        self.expect("GET", path, None, 200).await
    }

    /// Creates something and returns its id.
    pub(super) async fn create(&self, path: &str, body: &Value) -> Result<String> {
        let created = self.expect("POST", path, Some(body), 201).await?;
        let id = created.pointer("/data/id").and_then(Value::as_str);
        id.map(str::to_owned).context("the created object has no id")
    }
}

/// Whether a call with the same key is in progress.
fn is_in_use(body: &Value) -> bool {
    body.pointer("/error/code").is_some_and(|code| code == "IDEMPOTENCY_KEY_IN_USE")
}

/// An address of the contacts interface.
pub(super) fn contacts(rest: &str) -> String {
    format!("/api/public/v1{rest}")
}

/// An address of the management interface.
pub(super) fn manage(rest: &str) -> String {
    format!("/api/manage/v1{rest}")
}
