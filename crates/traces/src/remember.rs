//! Remembers the trace of an event.

use opentelemetry::Context;
use opentelemetry::trace::TraceContextExt as _;
use uuid::Uuid;

use crate::active::active;

/// Remembers that the current span enqueues this event.
pub fn remember(event: Uuid) {
    let Some(active) = active() else { return };
    let span = Context::map_current(|current| current.span().span_context().clone());
    if span.is_valid() {
        active.origins.keep(event, span);
    }
}
