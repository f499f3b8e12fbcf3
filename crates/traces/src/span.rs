//! A span, and how it becomes the parent of what runs inside.

use std::pin::Pin;
use std::task::{Context as Polling, Poll};

use opentelemetry::trace::{SpanBuilder, Status, TraceContextExt as _, Tracer as _};
use opentelemetry::{Context, ContextGuard, KeyValue, Value};
use pin_project_lite::pin_project;

use crate::active::{Active, active};

/// A span, which ends when this is dropped; nothing while calls are not traced.
#[derive(Debug, Default)]
#[must_use = "a span ends when it is dropped"]
pub struct Span(Option<Context>);

impl Span {
    /// No span.
    pub const NONE: Self = Self(None);

    pub(crate) fn start(active: &Active, builder: SpanBuilder, parent: &Context) -> Self {
        let span = active.tracer.build_with_context(builder, parent);
        Self(Some(parent.with_span(span)))
    }

    /// Whether attributes that are set are exported.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.0.as_ref().is_some_and(|context| context.span().span_context().is_sampled())
    }

    /// The id of the trace, for logs; `None` for one that is not exported.
    #[must_use]
    pub fn trace_id(&self) -> Option<String> {
        let context = self.0.as_ref().filter(|_| self.is_sampled())?;
        Some(context.span().span_context().trace_id().to_string())
    }

    /// Sets an attribute.
    pub fn set(&self, key: &'static str, value: impl Into<Value>) {
        if let Some(context) = &self.0 {
            context.span().set_attribute(KeyValue::new(key, value));
        }
    }

    pub(crate) fn rename(&self, name: String) {
        if let Some(context) = &self.0 {
            context.span().update_name(name);
        }
    }

    /// Marks that it failed.
    pub fn fail(&self) {
        if let Some(context) = &self.0 {
            context.span().set_status(Status::error(""));
        }
    }

    /// The future, with this span as the parent of the spans that begin inside.
    pub fn around<F: Future>(&self, future: F) -> Around<F> {
        Around { context: self.0.clone(), future }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        if let Some(context) = &self.0 {
            context.span().end();
        }
    }
}

pin_project! {
    /// A future within a span.
    #[derive(Debug)]
    pub struct Around<F> {
        context: Option<Context>,
        #[pin]
        future: F,
    }
}

impl<F: Future> Future for Around<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, polling: &mut Polling<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _entered = this.context.clone().map(Context::attach);
        this.future.poll(polling)
    }
}

/// The span in which something was asked for, so that a batch that answers several calls is in the trace of one.
#[derive(Debug)]
pub struct Asker(Option<Context>);

impl Asker {
    /// The current span, if it is exported.
    #[must_use]
    pub fn here() -> Self {
        let sampled = |context: &Context| context.span().span_context().is_sampled();
        Self(active().map(|_| Context::current()).filter(sampled))
    }

    /// Enters the first of these that is exported, until the guard is dropped.
    pub fn enter_first<'a>(askers: impl IntoIterator<Item = &'a Self>) -> Option<ContextGuard> {
        active()?;
        let first = askers.into_iter().find_map(|asker| asker.0.as_ref())?;
        Some(first.clone().attach())
    }
}

/// A future for another task, within the span in which this is called.
pub fn carried_by<F: Future>(future: F) -> Around<F> {
    Around { context: active().map(|_| Context::current()), future }
}

/// Work for another thread, within the span in which this is called.
pub fn carried<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let context = active().map(|_| Context::current());
    move || {
        let _entered = context.map(Context::attach);
        work()
    }
}
