//! Continues the trace that enqueued an event.

use uuid::Uuid;

use crate::active::active;
use crate::parent;

/// Notes that an event was enqueued in the span of this header `traceparent`, by any instance, before its delivery is
/// attempted.
pub fn enqueued_in(event: Uuid, traceparent: &str) {
    if let Some(active) = active()
        && let Some(span) = parent::read(traceparent)
    {
        active.origins.keep(event, span);
    }
}
