//! A deprecated operation, as the document describes it.

use serde_json::json;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::Header;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::Responses;
use utoipa::openapi::schema::SchemaFormat;
use utoipa::openapi::{Deprecated, RefOr};

use super::headers::{header, text};
use crate::endpoint::{DEPRECATION, Deprecation, SUNSET};

/// The member from which `cargo xtask api` reads when an operation may be removed.
const EXTENSION: &str = "x-deprecation";

/// Marks an operation as deprecated: for programs, and in the text that the reference shows.
pub(super) fn mark(operation: &mut Operation, deprecation: Deprecation) {
    let Deprecation { since, sunset, link } = deprecation;
    operation.deprecated = Some(Deprecated::True);
    let dates = json!({"since": since.to_string(), "sunset": sunset.map(|day| day.to_string()), "link": link});
    operation.extensions = Some(Extensions::from_iter([(EXTENSION, dates)]));
    let end = sunset.map(|day| format!(" It may be gone from {day} on.")).unwrap_or_default();
    let notice = format!("**Deprecated** since {since}.{end} [What to do]({link})");
    let details = operation.description.take();
    operation.description =
        Some(details.map_or(notice.clone(), |details| format!("{notice}\n\n{details}")));
    add_headers(&mut operation.responses, deprecation);
}

/// Describes the headers in the operation's own responses. Those that operations share are described once for all.
fn add_headers(responses: &mut Responses, deprecation: Deprecation) {
    for response in responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            let headers = deprecation.headers();
            response
                .headers
                .extend(headers.map(|(name, value)| (name.to_owned(), described(name, value))));
        }
    }
}

fn described(name: &str, value: String) -> RefOr<Header> {
    let (description, schema) = match name {
        DEPRECATION => (
            "Since when the operation is deprecated: `@` and epoch seconds",
            text().pattern(Some("^@[0-9]+$")),
        ),
        SUNSET => (
            "When it may be gone",
            text().format(Some(SchemaFormat::Custom("http-date".to_owned()))),
        ),
        _ => ("What to do instead", text()),
    };
    RefOr::T(header(description, schema, value.into()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use time::macros::date;

    use crate::endpoint::sample::endpoint;
    use crate::endpoint::{Deprecation, Endpoint};
    use crate::openapi::shape::Schemas;

    fn described(endpoint: Endpoint) -> Value {
        let (_, _, operation) = endpoint.describe(&mut Schemas::default());
        serde_json::to_value(operation).unwrap()
    }

    #[test]
    fn a_deprecated_operation_is_marked_for_people_and_programs() {
        let since = date!(2027 - 01 - 15);
        let deprecation = Deprecation { since, sunset: Some(date!(2028 - 07 - 01)), link: "/new" };
        let operation = described(endpoint().details("Details.").deprecated(deprecation));
        assert_eq!(operation["deprecated"], true);
        let dates = json!({"since": "2027-01-15", "sunset": "2028-07-01", "link": "/new"});
        assert_eq!(operation["x-deprecation"], dates);
        let text = "**Deprecated** since 2027-01-15. It may be gone from 2028-07-01 on. [What to do](/new)\n\nDetails.";
        assert_eq!(operation["description"], text);
        for name in ["Deprecation", "Sunset", "Link"] {
            assert!(operation["responses"]["204"]["headers"][name].is_object(), "{operation}");
        }
    }

    #[test]
    fn without_a_fixed_date_no_sunset_is_described() {
        let since = date!(2027 - 01 - 15);
        let deprecation = Deprecation { since, sunset: None, link: "/new" };
        let operation = described(endpoint().deprecated(deprecation));
        assert_eq!(operation["description"], "**Deprecated** since 2027-01-15. [What to do](/new)");
        assert_eq!(operation["x-deprecation"]["sunset"], Value::Null);
        assert_eq!(operation["responses"]["204"]["headers"]["Sunset"], Value::Null);
    }

    #[test]
    fn other_operations_are_not_marked_as_deprecated() {
        let operation = described(endpoint());
        for name in ["deprecated", "x-deprecation", "description"] {
            assert_eq!(operation.get(name), None, "{operation}");
        }
    }
}
