//! Which trace enqueued an event, so that its deliveries continue that trace. It is stored with the event, and kept here
//! from the claim of a delivery to its attempt.

use std::time::Duration;

use moka::sync::Cache;
use opentelemetry::trace::SpanContext;
use uuid::Uuid;

/// The maximum number of events for which this is kept: a few megabytes.
const MAX_EVENTS: u64 = 20_000;

/// For how long it is kept: longer than a delivery waits for its attempt after the claim.
const KEPT_FOR: Duration = Duration::from_mins(1);

/// The traces of events.
pub(crate) struct Origins(Cache<Uuid, SpanContext>);

impl Default for Origins {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_EVENTS).time_to_live(KEPT_FOR).build())
    }
}

impl Origins {
    /// The span in which an event was enqueued.
    pub(crate) fn of(&self, event: Uuid) -> Option<SpanContext> {
        self.0.get(&event)
    }

    /// Keeps the span in which an event was enqueued.
    pub(crate) fn keep(&self, event: Uuid, span: SpanContext) {
        self.0.insert(event, span);
    }
}
