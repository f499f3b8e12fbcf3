//! The metrics of deliveries.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::ports::Clock;
use contact_hub_domain::webhooks::{
    AttemptOutcome, AttemptResult, Backlog, DeliveryQueue, HealthNews, WebhookNotice,
};
use futures_util::FutureExt as _;
use metrics::{counter, gauge, histogram};
use tokio::task::JoinHandle;

/// How often the backlog is measured.
const EVERY: Duration = Duration::from_secs(10);

/// Counts an attempt that has ended.
pub(crate) fn count(result: &AttemptResult) {
    let outcome = match result.outcome {
        AttemptOutcome::Answered(status) => match status / 100 {
            2 => "2xx",
            3 => "3xx",
            4 => "4xx",
            5 => "5xx",
            _ => "other",
        },
        AttemptOutcome::Failed(class) => class.as_str(),
    };
    counter!("contact_hub_webhook_attempts_total", "outcome" => outcome).increment(1);
    histogram!("contact_hub_webhook_attempt_duration_seconds").record(result.duration);
}

/// Counts deliveries that this instance has claimed.
pub(crate) fn claimed(deliveries: usize) {
    let deliveries = u64::try_from(deliveries).unwrap_or(u64::MAX);
    counter!("contact_hub_webhook_deliveries_claimed_total").increment(deliveries);
}

/// Counts deliveries whose leases this instance has taken over from one without a heartbeat.
pub(crate) fn taken_over(deliveries: u64) {
    counter!("contact_hub_webhook_leases_taken_over_total").increment(deliveries);
}

/// Logs the effect of attempts on a webhook, and counts webhooks that are switched off.
pub(crate) fn note(notice: &WebhookNotice) {
    let webhook = notice.webhook_id;
    match notice.news {
        HealthNews::Failing => tracing::warn!(%webhook, "a webhook keeps failing"),
        HealthNews::Warned => {
            tracing::warn!(%webhook, "a webhook has failed for days and will be switched off");
        }
        HealthNews::SwitchedOff(reason) => {
            counter!("contact_hub_webhooks_switched_off_total", "reason" => reason.as_str())
                .increment(1);
            tracing::warn!(%webhook, reason = reason.as_str(), "a webhook was switched off");
        }
    }
}

/// Counts a running attempt until it is dropped.
pub(crate) struct InFlight;

impl InFlight {
    pub(crate) fn start() -> Self {
        gauge!("contact_hub_webhook_attempts_in_flight").increment(1);
        Self
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        gauge!("contact_hub_webhook_attempts_in_flight").decrement(1);
    }
}

/// Measures the backlog, in a task that ends when this is dropped.
#[derive(Debug)]
pub struct QueueMetrics(JoinHandle<()>);

impl QueueMetrics {
    /// Measures every ten seconds.
    #[must_use]
    pub fn start(queue: Arc<dyn DeliveryQueue>, clock: Arc<dyn Clock>) -> Self {
        let task = async move {
            let mut ticks = tokio::time::interval(EVERY);
            loop {
                ticks.tick().await;
                look(queue.as_ref(), clock.as_ref()).await;
            }
        };
        Self(tokio::spawn(task.boxed()))
    }
}

impl Drop for QueueMetrics {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn look(queue: &dyn DeliveryQueue, clock: &dyn Clock) {
    let now = clock.now();
    match queue.backlog(now).await {
        Ok(Backlog { due, since }) => {
            let micros = since.map_or(0, |since| now.micros().saturating_sub(since.micros()));
            let age = Duration::from_micros(u64::try_from(micros).unwrap_or(0));
            gauge!("contact_hub_webhook_deliveries_due")
                .set(f64::from(u32::try_from(due).unwrap_or(u32::MAX)));
            gauge!("contact_hub_webhook_deliveries_oldest_due_seconds").set(age.as_secs_f64());
        }
        Err(error) => tracing::debug!(%error, "the backlog was not measured"),
    }
}
