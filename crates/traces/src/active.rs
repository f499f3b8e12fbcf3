//! Whether calls are traced, and how.

use std::sync::OnceLock;

use opentelemetry_sdk::trace::SdkTracer;

use crate::origins::Origins;

/// The state of a process that traces. It is set once, since spans begin in code that has no settings.
static ACTIVE: OnceLock<Active> = OnceLock::new();

/// How calls are traced.
pub(crate) struct Active {
    /// Makes spans.
    pub(crate) tracer: SdkTracer,
    /// Whether a caller's trace is continued, with its decision whether it is sampled.
    pub(crate) trusts_callers: bool,
    /// The traces that enqueued events.
    pub(crate) origins: Origins,
}

/// How calls are traced; `None` while they are not.
pub(crate) fn active() -> Option<&'static Active> {
    ACTIVE.get()
}

/// Switches tracing on; false when it is on already.
pub(crate) fn activate(active: Active) -> bool {
    ACTIVE.set(active).is_ok()
}

/// Whether calls are traced.
#[must_use]
pub fn is_on() -> bool {
    active().is_some()
}
