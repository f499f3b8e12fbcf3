//! Counts answers with 503 by their cause.

use metrics::counter;

/// The database, or another bounded resource behind a port, such as the hashing of passwords.
pub(crate) const STORE: &str = "store";

/// The memory budget.
pub(crate) const MEMORY: &str = "memory";

/// The tests of webhooks that run at once.
pub(crate) const WEBHOOK_TESTS: &str = "webhook_tests";

/// A probe of readiness while the service stops.
pub(crate) const STOPPING: &str = "stopping";

/// A probe of readiness that found something missing.
pub(crate) const NOT_READY: &str = "not_ready";

/// Counts an answer.
pub(crate) fn count(cause: &'static str) {
    counter!("contact_hub_http_unavailable_total", "cause" => cause).increment(1);
}
