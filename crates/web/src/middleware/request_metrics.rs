//! The metrics of requests.
//!
//! Their handles are kept. Finding one by its labels each time would take more than ten allocations per request.

use std::collections::HashMap;
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};

/// The metrics of the requests to one server. Routes, methods and statuses are few, so the handles are, too.
#[derive(Default)]
pub struct RequestMetrics {
    in_flight: OnceLock<Gauge>,
    answered: RwLock<HashMap<String, Vec<Answered>>>,
}

/// The answers of a route to requests of one method with one status.
struct Answered {
    method: &'static str,
    status: u16,
    requests: Counter,
    durations: Histogram,
}

impl Answered {
    fn new(method: &'static str, route: &str, status: u16) -> Self {
        Self {
            method,
            status,
            requests: counter!("contact_hub_http_requests_total", "method" => method, "route" => route.to_owned(), "status" => status.to_string()),
            durations: histogram!("contact_hub_http_request_duration_seconds", "method" => method, "route" => route.to_owned()),
        }
    }

    fn add(&self, elapsed: Duration) {
        self.requests.increment(1);
        self.durations.record(elapsed.as_secs_f64());
    }
}

impl RequestMetrics {
    /// Counts a running request until it is dropped.
    pub(super) fn start(&self) -> InFlight {
        let gauge = self.in_flight.get_or_init(|| gauge!("contact_hub_http_requests_in_flight"));
        gauge.increment(1);
        InFlight(gauge.clone())
    }

    /// Counts an answer.
    pub(super) fn answered(
        &self,
        method: &'static str,
        route: &str,
        status: u16,
        elapsed: Duration,
    ) {
        let is_it = |it: &&Answered| it.method == method && it.status == status;
        let known = self.answered.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(route).and_then(|all| all.iter().find(is_it)) {
            return known.add(elapsed);
        }
        drop(known);
        let answered = Answered::new(method, route, status);
        answered.add(elapsed);
        let mut known = self.answered.write().unwrap_or_else(PoisonError::into_inner);
        let all = known.entry(route.to_owned()).or_default();
        if !all.iter().any(|it| is_it(&it)) {
            all.push(answered);
        }
    }
}

/// Counts a running request until it is dropped, even if its client goes away.
pub(super) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}
