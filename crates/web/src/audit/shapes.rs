//! The shapes of the audit in the OpenAPI document.

use serde_json::json;

use super::json::AuditEntryJson;
use crate::openapi::shape::{Schemas, Shape};

pub(crate) const AUDIT_ENTRY: Shape = Shape::new(Schemas::of::<AuditEntryJson<'_>>, || {
    json!({
        "id": "AAAAAAAAAAcAAAAAyfUafw",
        "at": "2026-11-20T09:30:00+00:00",
        "action": "user.updated",
        "object": "01931e3a-7c00-7000-8000-0000000000d2",
        "actor": {
            "user": "01931e3a-7c00-7000-8000-0000000000d1",
            "key": "01931e3a-7c00-7000-8000-0000000000f1",
            "address": "203.0.113.9",
        },
        "request_id": "01931e3a-7c00-7000-8000-0000000000e1",
        "counts": null,
        "old": {"permissions": ["contacts_api"]},
        "new": {"permissions": ["contacts_api", "publish"]},
    })
});
