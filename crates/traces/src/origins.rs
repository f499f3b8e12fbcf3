//! Which trace enqueued an event, so that its deliveries continue that trace. This is known to the instance that enqueued
//! it; deliveries that another instance sends begin a trace of their own.

use std::time::Duration;

use moka::sync::Cache;
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, TraceContextExt as _};
use uuid::Uuid;

use crate::active::active;

/// The most events of which this is kept: a few megabytes.
const MAX_EVENTS: u64 = 20_000;

/// For how long it is kept. A later retry is a trace of its own.
const KEPT_FOR: Duration = Duration::from_hours(1);

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
}

/// Remembers that the current span enqueues this event.
pub fn remember(event: Uuid) {
    let Some(active) = active() else { return };
    let span = Context::map_current(|current| current.span().span_context().clone());
    if span.is_valid() {
        active.origins.0.insert(event, span);
    }
}
