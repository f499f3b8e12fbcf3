//! The header `traceparent` of the W3C recommendation "Trace Context".

use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{SpanContext, TraceContextExt as _, TraceFlags};
use opentelemetry_sdk::propagation::TraceContextPropagator;

use crate::active::active;

/// The header's name.
const NAME: &str = "traceparent";

struct Sent<'a>(&'a str);

impl Extractor for Sent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == NAME).then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec![NAME]
    }
}

/// The span of a caller; `None` when the header is malformed. Its `tracestate` is not continued.
pub(crate) fn read(header: &str) -> Option<SpanContext> {
    let found = TraceContextPropagator::new().extract_with_context(&Context::new(), &Sent(header));
    let found = found.span().span_context().clone();
    found.is_valid().then_some(found)
}

/// The header for a request that is sent now; `None` while calls are not traced.
#[must_use]
pub fn traceparent() -> Option<String> {
    active()?;
    Context::map_current(|current| text_of(current.span().span_context()))
}

fn text_of(span: &SpanContext) -> Option<String> {
    let flags = span.trace_flags() & TraceFlags::SAMPLED;
    let text = || format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), flags.to_u8());
    span.is_valid().then(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{read, text_of};

    #[test]
    fn a_header_is_parsed_and_formatted() {
        let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let span = read(header).expect("a span");
        assert!(span.is_sampled() && span.is_remote());
        assert_eq!(text_of(&span).as_deref(), Some(header));
        let unsampled = header.replace("-01", "-00");
        assert!(!read(&unsampled).expect("a span").is_sampled());
    }

    #[test]
    fn a_malformed_header_is_ignored() {
        for header in [
            "",
            "00",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        ] {
            assert!(read(header).is_none(), "{header}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_ignored_or_parsed(text in ".{0,80}") {
            if let Some(span) = read(&text) {
                prop_assert!(span.is_valid());
            }
        }
    }
}
