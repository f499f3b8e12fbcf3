//! The spans of the service. An attribute is a constant, a number, a route's pattern, the text of a statement without its
//! values, or the id of a company, webhook, delivery or event.

use opentelemetry::trace::{Link, SpanBuilder, SpanKind, TraceContextExt as _};
use opentelemetry::{Context, KeyValue};
use uuid::Uuid;

use crate::active::active;
use crate::parent;
use crate::span::Span;

/// The longest text of a statement in a span, in bytes.
const MAX_TEXT: usize = 1024;

/// The attribute with the id of the company.
const COMPANY: &str = "contact_hub.company.id";

/// The span of a request. A caller's trace is continued if callers are trusted, and linked otherwise: a caller must not
/// decide how much is exported, nor add to the traces of others.
pub fn request(method: &'static str, traceparent: Option<&str>) -> Span {
    let Some(active) = active() else { return Span::NONE };
    let caller = traceparent.and_then(parent::read);
    let builder = SpanBuilder::from_name(method).with_kind(SpanKind::Server);
    let mut builder = builder.with_attributes([KeyValue::new("http.request.method", method)]);
    let mut parent = Context::new();
    match caller {
        Some(caller) if active.trusts_callers => parent = parent.with_remote_span_context(caller),
        Some(caller) => builder = builder.with_links(vec![Link::with_context(caller)]),
        None => {}
    }
    Span::start(active, builder, &parent)
}

/// Sets how a request was answered. `route` is the pattern, never the path with its ids.
pub fn answered(span: &Span, method: &'static str, route: &str, status: u16) {
    if !span.is_sampled() {
        return;
    }
    span.rename(format!("{method} {route}"));
    span.set("http.route", route.to_owned());
    span.set("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.fail();
    }
}

/// Sets the company of the current request.
pub fn note_company(company: Uuid) {
    if active().is_some() {
        Context::map_current(|current| {
            let span = current.span();
            if span.is_recording() {
                span.set_attribute(KeyValue::new(COMPANY, company.to_string()));
            }
        });
    }
}

/// The span of a unit of work, from the moment that it waits for a connection of this pool.
pub fn unit(pool: &'static str) -> Span {
    inside(|| {
        SpanBuilder::from_name("unit").with_attributes([KeyValue::new("contact_hub.pool", pool)])
    })
}

/// The span of a statement. Its text contains no values.
pub fn statement(database: &'static str, text: &str) -> Span {
    inside(|| {
        let shown = text.get(..text.floor_char_boundary(MAX_TEXT)).unwrap_or_default();
        SpanBuilder::from_name(summary(text)).with_kind(SpanKind::Client).with_attributes([
            KeyValue::new("db.system.name", database),
            KeyValue::new("db.query.text", shown.to_owned()),
        ])
    })
}

/// The operation and the table of a statement, such as `INSERT contacts`.
fn summary(text: &str) -> String {
    let mut words = text.split_ascii_whitespace();
    let operation = words.next().unwrap_or_default().trim_end_matches(';');
    let table = match operation {
        "UPDATE" => words.next(),
        "INSERT" | "DELETE" => words.nth(1),
        "SELECT" => words.skip_while(|word| *word != "FROM").nth(1),
        _ => None,
    };
    let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match table.filter(is_name) {
        Some(table) => format!("{operation} {table}"),
        None => operation.to_owned(),
    }
}

/// A span within the current one; none when that is not sampled.
fn inside(builder: impl FnOnce() -> SpanBuilder) -> Span {
    let Some(active) = active() else { return Span::NONE };
    Context::map_current(|current| {
        if current.span().span_context().is_sampled() {
            Span::start(active, builder(), current)
        } else {
            Span::NONE
        }
    })
}

/// What an attempt delivers.
#[derive(Clone, Copy, Debug)]
pub struct AttemptOf {
    /// The company.
    pub company: Uuid,
    /// The webhook.
    pub webhook: Uuid,
    /// The delivery.
    pub delivery: Uuid,
    /// The event.
    pub event: Uuid,
    /// The kind of the event.
    pub kind: &'static str,
    /// The number of the attempt.
    pub number: u32,
}

/// The span of an attempt to deliver an event: within the current one, or else in the trace that enqueued the event.
pub fn attempt(of: &AttemptOf) -> Span {
    let Some(active) = active() else { return Span::NONE };
    let mut parent = Context::current();
    if !parent.span().span_context().is_valid()
        && let Some(origin) = active.origins.of(of.event)
    {
        parent = parent.with_remote_span_context(origin);
    }
    let builder = SpanBuilder::from_name("webhook attempt").with_kind(SpanKind::Client);
    let builder = builder.with_attributes([
        KeyValue::new("http.request.method", "POST"),
        KeyValue::new(COMPANY, of.company.to_string()),
        KeyValue::new("contact_hub.webhook.id", of.webhook.to_string()),
        KeyValue::new("contact_hub.delivery.id", of.delivery.to_string()),
        KeyValue::new("contact_hub.event.id", of.event.to_string()),
        KeyValue::new("contact_hub.event.kind", of.kind),
        KeyValue::new("contact_hub.attempt.number", i64::from(of.number)),
    ]);
    Span::start(active, builder, &parent)
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn a_statement_is_named_by_its_operation_and_table() {
        for (text, expected) in [
            ("SELECT id, name FROM contacts WHERE id = ?", "SELECT contacts"),
            ("SELECT (SELECT 1) AS x", "SELECT"),
            ("SELECT * FROM (SELECT 1) AS x", "SELECT"),
            ("INSERT INTO events (id) VALUES (?)", "INSERT events"),
            ("UPDATE webhooks SET name = ?", "UPDATE webhooks"),
            ("DELETE FROM alerts WHERE id = ?", "DELETE alerts"),
            ("WITH a AS (SELECT 1) SELECT * FROM a", "WITH"),
            ("BEGIN; SET LOCAL x = off", "BEGIN"),
            ("COMMIT", "COMMIT"),
            ("", ""),
        ] {
            assert_eq!(summary(text), expected, "{text}");
        }
    }
}
