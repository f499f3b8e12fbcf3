//! Latencies of repeated operations.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::PATIENCE;
use super::receiver::Receiver;
use super::tenant::Tenant;
use crate::bench::load;

/// Durations, the shortest first.
pub(super) struct Times(Vec<Duration>);

impl Times {
    /// Measures this many calls.
    pub(super) fn of(calls: usize, mut call: impl FnMut() -> Result<()>) -> Result<Self> {
        let timed = (0..calls).map(|_| {
            let started = Instant::now();
            call()?;
            Ok(started.elapsed())
        });
        Ok(Self::sorted(timed.collect::<Result<_>>()?))
    }

    pub(super) fn sorted(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    pub(super) fn median_ms(&self) -> f64 {
        self.at(50)
    }

    pub(super) fn p95_ms(&self) -> f64 {
        self.at(95)
    }

    pub(super) fn slowest_ms(&self) -> f64 {
        self.at(100)
    }

    /// The latency that this percentage does not exceed, in milliseconds.
    fn at(&self, percentage: usize) -> f64 {
        let place = (self.0.len() * percentage / 100).min(self.0.len().saturating_sub(1));
        self.0.get(place).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    }
}

/// Requests of syncs, and their deliveries.
pub(super) struct ReceiverAnswer {
    /// From a request to its answer.
    pub(super) answers: Times,
    /// From a request to its receipt.
    pub(super) receipts: Times,
}

/// Requests syncs, one in each interval, and each only after the previous one was received by all receivers that
/// answer.
pub(super) fn hear(
    company: &Tenant,
    receiver: &Receiver,
    (samples, receivers): (usize, usize),
    interval: Duration,
) -> Result<ReceiverAnswer> {
    let (mut answers, mut receipts) = (Vec::with_capacity(samples), Vec::new());
    let never = mpsc::channel::<()>();
    for request in company.requests(samples)? {
        receiver.forget();
        let started = Instant::now();
        load::ask(company.base(), &request)?;
        answers.push(started.elapsed());
        let arrivals = receiver.wait_for(receivers, PATIENCE)?;
        receipts.extend(arrivals.iter().map(|arrival| arrival.duration_since(started)));
        // A pause; nobody ever sends.
        never.1.recv_timeout(interval.saturating_sub(started.elapsed())).ok();
    }
    Ok(ReceiverAnswer { answers: Times::sorted(answers), receipts: Times::sorted(receipts) })
}

/// The times from requests of syncs, one right after the other, to their receipt.
pub(super) fn times_to_receipt(
    company: &Tenant,
    receiver: &Receiver,
    samples: usize,
    receivers: usize,
) -> Result<Times> {
    Ok(hear(company, receiver, (samples, receivers), Duration::ZERO)?.receipts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_and_the_slowest_are_found() {
        let times = Times::sorted((1..=20).rev().map(Duration::from_millis).collect());
        assert!((times.median_ms() - 11.0).abs() < 1e-9);
        assert!((times.p95_ms() - 20.0).abs() < 1e-9);
        assert!((times.slowest_ms() - 20.0).abs() < 1e-9);
        assert!(Times::sorted(Vec::new()).median_ms().is_nan());
    }
}
