//! Traces of calls, exported over OTLP: a span for each request, for the units of work and statements that it causes, and
//! for the attempts to deliver what it enqueued.
//!
//! # Reading order
//!
//! 1. `spans` lists the spans and what they may contain: no bound values, no ids of contacts, no emails and no tokens.
//! 2. `span` is a span as other crates use it, and how it becomes the parent of what runs inside.
//! 3. `parent` reads and writes the header `traceparent`; `enqueued` and `origins` keep which trace enqueued the events
//!    that are claimed.
//! 4. [`start()`] switches tracing on. `queue` and `export` send the spans to the collector.
//!
//! # Cost
//!
//! Tracing is off unless [`start()`] was called. Each function then reads one atomic and does nothing else. It does not
//! depend on the filter of the logs, and adds nothing to them.
//! A collector that is slow or dead costs calls nothing: spans that do not fit into the queue are dropped and counted.

mod active;
mod enqueued;
mod export;
mod origins;
mod parent;
mod queue;
mod span;
mod spans;
mod start;

pub use active::is_on;
pub use enqueued::enqueued_in;
pub use opentelemetry::ContextGuard as Entered;
pub use parent::traceparent;
pub use span::{Around, Asker, Span, carried, carried_by};
pub use spans::{AttemptOf, answered, attempt, note_company, request, statement, unit};
pub use start::{AlreadyStarted, Exporting, FLUSH_WITHIN, Options, start};
