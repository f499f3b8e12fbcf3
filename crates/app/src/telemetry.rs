//! Metrics and traces.

use std::sync::OnceLock;

use ::metrics::{counter, gauge};
use anyhow::{Context, Result};
use contact_hub_storage::DatabaseUrl;
use contact_hub_traces::{Exporting, Options};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;

use crate::{logs, metric_texts};

/// The upper bounds of the latency buckets, in seconds.
const LATENCY_BUCKETS: [f64; 13] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Counters of trouble without labels. They are shown from the start: Prometheus misses the first increase of one that
/// appears with it.
const FROM_THE_START: [&str; 8] = [
    "contact_hub_db_units_abandoned_total",
    "contact_hub_db_units_cancelled_total",
    "contact_hub_http_answers_replayed_total",
    "contact_hub_http_connections_refused_total",
    logs::DROPPED_LINES,
    "contact_hub_password_hashes_refused_total",
    "contact_hub_webhook_deliveries_claimed_total",
    "contact_hub_webhook_leases_taken_over_total",
];

/// The commit that the program was built from, if the build sets it.
const COMMIT: Option<&str> = option_env!("CONTACT_HUB_COMMIT");

/// The process's metrics; the first call installs them.
pub fn metrics() -> Result<PrometheusHandle> {
    static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();
    if let Some(metrics) = METRICS.get() {
        return Ok(metrics.clone());
    }
    let latency = Matcher::Suffix("_duration_seconds".to_owned());
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(latency, &LATENCY_BUCKETS)
        .context("the latency buckets are invalid")?
        .build_recorder();
    let handle = METRICS.get_or_init(|| {
        let handle = recorder.handle();
        // Another recorder can only be installed by a program that embeds this crate; then its metrics are used.
        ::metrics::set_global_recorder(recorder).ok();
        metric_texts::describe();
        Collector::default().describe();
        for name in FROM_THE_START {
            counter!(name).increment(0);
        }
        handle
    });
    Ok(handle.clone())
}

/// The metrics as text, with those of the process as they are now.
pub(crate) fn render(metrics: &PrometheusHandle) -> String {
    Collector::default().collect();
    counter!(logs::DROPPED_LINES).absolute(logs::dropped_lines());
    // The collector's counter would have whole seconds only, so it sets a gauge.
    metrics.render().replacen(
        "# TYPE process_cpu_seconds_total gauge",
        "# TYPE process_cpu_seconds_total counter",
        1,
    )
}

/// Records the version that runs, and the kind of its database.
pub(crate) fn record_build(database: &DatabaseUrl) {
    let database = match database {
        DatabaseUrl::Sqlite(_) => "sqlite",
        DatabaseUrl::Postgres(_) => "postgresql",
    };
    let (version, commit) = (env!("CARGO_PKG_VERSION"), COMMIT.unwrap_or("unknown"));
    gauge!("contact_hub_build_info", "version" => version, "commit" => commit, "database" => database)
        .set(1.0);
}

/// Traces calls from now on, in the whole process.
pub fn start_traces(options: Options) -> Result<Exporting> {
    metrics()?;
    contact_hub_traces::start(options).context("traces cannot be started")
}
