//! The description of each metric, which Prometheus shows beside it.

use metrics::{describe_counter, describe_gauge, describe_histogram};

use crate::logs::DROPPED_LINES;

const COUNTERS: [(&str, &str); 24] = [
    ("contact_hub_alert_emails_total", "Attempts to send emails with alerts, by outcome."),
    ("contact_hub_backups_total", "Scheduled backups, by outcome."),
    ("contact_hub_db_calls_failed_total", "Calls of the database that failed, by cause."),
    ("contact_hub_db_quota_leases_total", "Leases of quota that were asked for, by outcome."),
    ("contact_hub_db_reads_total", "Reads that read replicas may serve, by server."),
    (
        "contact_hub_db_replica_fallbacks_total",
        "Reads that the primary served in place of a read replica, by server and reason.",
    ),
    ("contact_hub_db_statements_total", "Statements sent to the database."),
    (
        "contact_hub_db_units_abandoned_total",
        "Units of work given up because the database is silent.",
    ),
    (
        "contact_hub_db_units_cancelled_total",
        "Units of work cancelled because the client disconnected or a statement took too long.",
    ),
    (
        "contact_hub_http_answers_replayed_total",
        "Repeated calls with an idempotency key that got the kept answer.",
    ),
    (
        "contact_hub_http_connections_refused_total",
        "Connections refused because too many are open.",
    ),
    ("contact_hub_http_deprecated_calls_total", "Calls of deprecated operations, by operation."),
    (
        "contact_hub_http_requests_limited_alone_total",
        "Calls counted by this instance alone because the shared counts did not answer in time.",
    ),
    ("contact_hub_http_requests_refused_total", "Calls answered with 429, by limit."),
    ("contact_hub_http_requests_total", "Requests, by method, route and status."),
    ("contact_hub_http_unavailable_total", "Answers with 503, by cause."),
    (DROPPED_LINES, "Lines of the log dropped because their reader was too slow."),
    ("contact_hub_password_hashes_refused_total", "Passwords not hashed because too many waited."),
    ("contact_hub_trace_spans_dropped_total", "Spans that were not exported, by reason."),
    ("contact_hub_trace_spans_exported_total", "Spans that the collector took."),
    ("contact_hub_webhook_attempts_total", "Attempts to deliver webhooks, by outcome."),
    ("contact_hub_webhook_deliveries_claimed_total", "Deliveries claimed by this instance."),
    (
        "contact_hub_webhook_leases_taken_over_total",
        "Deliveries whose lease this instance ended because their instance wrote no heartbeat.",
    ),
    ("contact_hub_webhooks_switched_off_total", "Webhooks switched off, by reason."),
];

const GAUGES: [(&str, &str); 21] = [
    ("contact_hub_alert_emails_waiting", "Emails with alerts that are due, up to 10,000."),
    ("contact_hub_backup_interval_seconds", "Time between two scheduled backups."),
    (
        "contact_hub_backup_last_success_timestamp_seconds",
        "When the last scheduled backup succeeded; 0 until there is one.",
    ),
    ("contact_hub_budget_in_use_bytes", "Memory that requests in progress take, by pool."),
    ("contact_hub_budget_limit_bytes", "Memory that requests in progress may take, by pool."),
    ("contact_hub_build_info", "Always 1; the labels are those of the build and the database."),
    ("contact_hub_db_connections_abandoned", "Connections given up to a silent database, by pool."),
    ("contact_hub_db_connections_in_use", "Connections in use, by pool."),
    ("contact_hub_db_connections_max", "Connections that may be in use, by pool."),
    ("contact_hub_db_log_size_bytes", "Size of the write-ahead log of SQLite."),
    ("contact_hub_db_replica_lag_seconds", "How far a read replica lags behind, by server."),
    ("contact_hub_db_replica_used", "Whether a read replica serves reads, by server."),
    ("contact_hub_db_requests_waiting", "Requests that wait for a connection, by pool."),
    ("contact_hub_db_size_bytes", "Size of the database."),
    ("contact_hub_http_requests_in_flight", "Requests in progress."),
    ("contact_hub_import_parts_in_flight", "Parts of imported files in progress."),
    ("contact_hub_live_streams_open", "Open streams of pages."),
    ("contact_hub_ready", "Whether the service is ready, as /health/ready says."),
    ("contact_hub_webhook_attempts_in_flight", "Attempts to deliver webhooks in progress."),
    ("contact_hub_webhook_deliveries_due", "Deliveries that are due, up to 100,000."),
    (
        "contact_hub_webhook_deliveries_oldest_due_seconds",
        "How long the delivery that waits longest has been due.",
    ),
];

const HISTOGRAMS: [(&str, &str); 2] = [
    ("contact_hub_http_request_duration_seconds", "Duration of requests, by method and route."),
    ("contact_hub_webhook_attempt_duration_seconds", "Duration of attempts to deliver webhooks."),
];

/// Describes the metrics to the recorder.
pub(crate) fn describe() {
    for (name, text) in COUNTERS {
        describe_counter!(name, text);
    }
    for (name, text) in GAUGES {
        describe_gauge!(name, text);
    }
    for (name, text) in HISTOGRAMS {
        describe_histogram!(name, text);
    }
}
