//! Calls of the instances, each of which must be answered with success and soon.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use reqwest::Method;
use serde_json::Value;

/// The limit for a call, on a busy machine.
const IN_TIME: Duration = Duration::from_secs(3);

/// How soon the instances notice what happens to the replica.
pub(super) const NOTICED_WITHIN: Duration = Duration::from_secs(20);

/// The pause between two checks.
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// Whether the replica is used.
const IS_USED: &str = "contact_hub_db_replica_used{server=\"replica_1\"}";

/// The reads that it answered.
const READS: &str = "contact_hub_db_reads_total{server=\"replica_1\"}";

/// A client of all instances.
#[derive(Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    key: Arc<str>,
    bases: Arc<[String]>,
}

impl Client {
    pub(super) fn new(key: &str, bases: Vec<String>) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { http, key: key.into(), bases: bases.into() })
    }

    /// Calls an instance; fails unless the answer is a success in time. Returns the body.
    pub(super) async fn text(
        &self,
        instance: usize,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<String> {
        let base = self.bases.get(instance % self.bases.len().max(1)).context("no instance")?;
        let shown = format!("{method} {path}");
        let request = self.http.request(method, format!("{base}{path}")).bearer_auth(&self.key);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let began = Instant::now();
        let answer = request.timeout(IN_TIME * 2).send().await.context(shown.clone())?;
        let status = answer.status();
        let text = answer.text().await.context(shown.clone())?;
        let took = began.elapsed();
        ensure!(status.is_success(), "{shown}: {status} after {took:?}: {text}");
        ensure!(took < IN_TIME, "{shown} took {took:?}");
        Ok(text)
    }

    /// Calls the contacts interface of an instance; returns the answer's JSON, or null without a body.
    pub(super) async fn call(
        &self,
        instance: usize,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value> {
        let path = format!("/api/public/v1{path}");
        let text = self.text(instance, method, &path, body).await?;
        if text.is_empty() { Ok(Value::Null) } else { Ok(serde_json::from_str(&text)?) }
    }

    /// How many reads the replica has answered, for all instances.
    pub(super) async fn replica_reads(&self) -> Result<u64> {
        let mut reads = 0;
        for instance in 0..self.bases.len() {
            reads += self.metric(instance, READS).await?;
        }
        Ok(reads)
    }

    /// Waits until every instance uses the replica, or none does.
    pub(super) async fn until_used(&self, is_used: bool) -> Result<()> {
        let began = Instant::now();
        for instance in 0..self.bases.len() {
            while (self.metric(instance, IS_USED).await? == 1) != is_used {
                if began.elapsed() > NOTICED_WITHIN {
                    bail!(
                        "instance {instance} does not notice that the replica is used: {is_used}"
                    );
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
        Ok(())
    }

    async fn metric(&self, instance: usize, name: &str) -> Result<u64> {
        let metrics = self.text(instance, Method::GET, "/metrics", None).await?;
        let value = metrics.lines().find_map(|line| line.strip_prefix(name));
        value.map_or(Ok(0), |value| Ok(value.trim().parse()?))
    }
}
