//! Measures the effect of an attack on others: the latencies of the liveness probe and of another company's calls.
//!
//! They call from a separate address, since connections are limited by address, and on a separate thread, so that the
//! load of the attack's clients does not distort the latencies.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use reqwest::{Method, RequestBuilder};
use tokio::runtime::Builder;

use super::target::Target;

/// The pause between two calls.
const PAUSE: Duration = Duration::from_millis(20);

/// The source address of the calls.
const FROM: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// After this time a call counts as unanswered.
const WITHIN: Duration = Duration::from_secs(10);

/// Calls during an attack.
pub(super) struct Watch {
    stopped: Arc<AtomicBool>,
    calls: JoinHandle<Result<(Noticed, Noticed)>>,
}

/// The latencies that one client measured.
#[derive(Default)]
pub(super) struct Noticed {
    /// The latency of each call, in milliseconds.
    took: Vec<f64>,
    /// Calls that were answered 503.
    pub(super) refused: u32,
    /// Calls that were not answered.
    pub(super) unanswered: u32,
}

impl Watch {
    /// Starts to call.
    pub(super) fn start(target: &Arc<Target>) -> Self {
        let stopped = Arc::<AtomicBool>::default();
        let (target, seen) = (Arc::clone(target), Arc::clone(&stopped));
        Self { stopped, calls: thread::spawn(move || calls(&target, &seen)) }
    }

    /// Stops; returns the latencies of the liveness probe and of the other company.
    pub(super) fn stop(self) -> Result<(Noticed, Noticed)> {
        self.stopped.store(true, Ordering::Relaxed);
        self.calls.join().map_err(|_panic| anyhow!("the calls beside the attack panicked"))?
    }
}

fn calls(target: &Target, stopped: &AtomicBool) -> Result<(Noticed, Noticed)> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        // A new connection for each call, like those of a load balancer or an orchestrator.
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).timeout(WITHIN);
        let http = http.local_address(FROM).build()?;
        let base = format!("http://{}", target.address());
        let liveness = http.request(Method::GET, format!("{base}/health/live"));
        let other = http.request(Method::GET, format!("{base}/api/public/v1/contacts"));
        let other = other.bearer_auth(&target.other_key);
        Ok(tokio::join!(call(liveness, stopped), call(other, stopped)))
    })
}

impl Noticed {
    /// The slowest call, in milliseconds; an unanswered one counts with its deadline.
    pub(super) fn worst(&self) -> f64 {
        self.took.iter().copied().fold(0.0, f64::max)
    }

    /// The latency that this percentage of the calls does not exceed, in milliseconds.
    pub(super) fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.took.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() * percent / 100).copied().unwrap_or(f64::NAN)
    }
}

async fn call(request: RequestBuilder, stopped: &AtomicBool) -> Noticed {
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
