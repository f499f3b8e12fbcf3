//! Metrics that are measured at intervals: whether the service is ready, and what its database holds.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::alerts::AlertQueue;
use contact_hub_domain::ports::Clock;
use contact_hub_storage::Storage;
use contact_hub_web::{Readiness, Stopping};
use metrics::gauge;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::time::interval;

/// How often readiness is measured.
const READY_EVERY: Duration = Duration::from_secs(5);

/// How often the database is measured.
const DATABASE_EVERY: Duration = Duration::from_mins(1);

/// The maximum number of waiting emails that are counted.
const MAX_EMAILS: u32 = 10_000;

/// How often recorded durations are added to their histograms.
const DURATIONS_EVERY: Duration = Duration::from_secs(5);

/// Adds recorded durations to their histograms. Otherwise each of them is kept until the metrics are next read, which may be
/// never.
pub(crate) async fn add_durations(metrics: PrometheusHandle) {
    let mut ticks = interval(DURATIONS_EVERY);
    loop {
        ticks.tick().await;
        metrics.run_upkeep();
    }
}

/// Measures whether the service is ready.
pub(crate) async fn watch_readiness(readiness: Arc<dyn Readiness>, stopping: Stopping) {
    let mut ticks = interval(READY_EVERY);
    loop {
        ticks.tick().await;
        let is_ready = !stopping.has_begun() && readiness.check().await.is_ok();
        gauge!("contact_hub_ready").set(if is_ready { 1.0 } else { 0.0 });
    }
}

/// Measures how much room the database takes.
pub(crate) async fn watch_sizes(storage: Storage) {
    let mut ticks = interval(DATABASE_EVERY);
    loop {
        ticks.tick().await;
        match storage.sizes().await {
            Ok(sizes) => {
                gauge!("contact_hub_db_size_bytes").set(in_bytes(sizes.data));
                if let Some(log) = sizes.log {
                    gauge!("contact_hub_db_log_size_bytes").set(in_bytes(log));
                }
            }
            Err(error) => tracing::debug!(%error, "the size of the database was not measured"),
        }
    }
}

/// Counts the emails that are due; alerts are collected for this long.
pub(crate) async fn watch_emails(
    mails: Arc<dyn AlertQueue>,
    clock: Arc<dyn Clock>,
    collect: Duration,
) {
    let mut ticks = interval(DATABASE_EVERY);
    loop {
        ticks.tick().await;
        match mails.waiting(clock.now(), collect, MAX_EMAILS).await {
            Ok(waiting) => gauge!("contact_hub_alert_emails_waiting").set(waiting),
            Err(error) => tracing::debug!(%error, "waiting emails were not counted"),
        }
    }
}

/// A size as the value of a metric.
fn in_bytes(bytes: u64) -> f64 {
    let (mib, rest) = (bytes >> 20, bytes & 0xF_FFFF);
    let whole = |number: u64| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    whole(mib) * 1_048_576.0 + whole(rest)
}
