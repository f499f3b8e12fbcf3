//! One response.

use serde_json::Value;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::{ContentBuilder, RefOr, Schema};

use super::headers;

/// Without content.
pub(super) fn empty(description: &str) -> ResponseBuilder {
    headers::always(ResponseBuilder::new().description(description))
}

/// With JSON.
pub(super) fn with_content(
    description: &str,
    schema: impl Into<RefOr<Schema>>,
    example: Value,
) -> ResponseBuilder {
    let content = ContentBuilder::new().schema(Some(schema)).example(Some(example)).build();
    empty(description).content("application/json", content)
}
