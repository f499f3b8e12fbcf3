//! The shapes of the change feed in the OpenAPI document.

use serde_json::json;

use super::json::ChangeJson;
use crate::openapi::shape::{Schemas, Shape};

pub(crate) const CHANGE: Shape = Shape::new(Schemas::of::<ChangeJson<'_>>, || {
    json!({
        "id": "AAAAAAAAAAcAAAAAyfUafw",
        "type": "contact.updated",
        "at": "2026-11-20T09:30:00+00:00",
        "object_id": "01931e3a-7c00-7000-8000-0000000000ab",
        "changed": ["last_name", "field:jobTitle"],
        "actor": "01931e3a-7c00-7000-8000-0000000000d1",
        "request_id": "01931e3a-7c00-7000-8000-0000000000e1",
    })
});
