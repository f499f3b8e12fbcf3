//! What others notice of an attack: how long the service takes to say that it lives, and to answer another company.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use reqwest::{Method, RequestBuilder};
use tokio::task::JoinHandle;

use super::target::Target;

/// The pause between two calls.
const PAUSE: Duration = Duration::from_millis(20);

/// After this time a call counts as not answered.
const WITHIN: Duration = Duration::from_secs(10);

/// Calls that go on beside an attack.
pub(super) struct Watch {
    stopped: Arc<AtomicBool>,
    liveness: JoinHandle<Noticed>,
    other: JoinHandle<Noticed>,
}

/// What a client noticed.
#[derive(Default)]
pub(super) struct Noticed {
    /// How long each call took, in milliseconds.
    took: Vec<f64>,
    /// Calls that were answered 503.
    pub(super) refused: u32,
    /// Calls that were not answered.
    pub(super) unanswered: u32,
}

impl Watch {
    /// Begins to call.
    pub(super) fn start(target: &Arc<Target>) -> Self {
        let stopped = Arc::<AtomicBool>::default();
        // Each call has a connection of its own, as those of a load balancer or of an orchestrator may have.
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).timeout(WITHIN);
        let http = http.build().unwrap_or_default();
        let base = format!("http://{}", target.address());
        let liveness = http.request(Method::GET, format!("{base}/health/live"));
        let other = http.request(Method::GET, format!("{base}/api/public/v1/contacts"));
        let other = other.bearer_auth(&target.other_key);
        Self {
            liveness: tokio::spawn(call(liveness, Arc::clone(&stopped))),
            other: tokio::spawn(call(other, Arc::clone(&stopped))),
            stopped,
        }
    }

    /// Stops; gives what the liveness probe and the other company noticed.
    pub(super) async fn stop(self) -> Result<(Noticed, Noticed)> {
        self.stopped.store(true, Ordering::Relaxed);
        Ok((self.liveness.await?, self.other.await?))
    }
}

impl Noticed {
    /// The longest call, in milliseconds; one that was not answered counts with its deadline.
    pub(super) fn worst(&self) -> f64 {
        self.took.iter().copied().fold(0.0, f64::max)
    }

    /// The time within which 99 of 100 calls are answered, in milliseconds.
    pub(super) fn percentile_99(&self) -> f64 {
        let mut sorted = self.took.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() * 99 / 100).copied().unwrap_or(f64::NAN)
    }
}

async fn call(request: RequestBuilder, stopped: Arc<AtomicBool>) -> Noticed {
    let mut noticed = Noticed::default();
    while !stopped.load(Ordering::Relaxed) {
        let asked = Instant::now();
        let Some(request) = request.try_clone() else { break };
        match request.send().await {
            Ok(answer) if answer.status() == 503 => noticed.refused += 1,
            Ok(_) => {}
            Err(_) => noticed.unanswered += 1,
        }
        noticed.took.push(asked.elapsed().as_secs_f64() * 1e3);
        tokio::time::sleep(PAUSE).await;
    }
    noticed
}
