//! The envelopes of errors, whose examples are in the responses.

use utoipa::openapi::schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder};
use utoipa::openapi::{Ref, RefOr, Schema};

use super::shape::{Schemas, format, string};
use crate::error::{Code, RATE_LIMITED};

const APPLICATION_ERROR: &str = "ApplicationError";

/// Refers to the envelope of these codes, which [`add_application_error`] adds when all codes are known.
pub(super) fn application_error(codes: &[Code], schemas: &mut Schemas) -> Ref {
    schemas.codes.extend(codes.iter().map(|code| code.as_str()));
    Ref::from_schema_name(APPLICATION_ERROR)
}

/// Adds the envelope, with every code that an operation, or a path without an operation, is answered with.
pub(super) fn add_application_error(schemas: &mut Schemas) {
    application_error(&[Code::NotFound, Code::MethodNotAllowed], schemas);
    let open = ArrayBuilder::new().items(format(string(), "uuid")).description(Some(
        "With `SYNC_NOT_REQUESTED` and `SYNC_AMBIGUOUS`: the asset's open syncs",
    ));
    let error = ObjectBuilder::new()
        .property("code", string().enum_values(Some(schemas.codes.iter().copied())))
        .required("code")
        .property("message", string().description(Some("For people; it may change")))
        .required("message")
        .property("open_sync_ids", open);
    let envelope = ObjectBuilder::new().property("error", error).required("error");
    schemas.add(APPLICATION_ERROR, envelope);
}

pub(super) fn validation_errors(schemas: &mut Schemas) -> Ref {
    let messages = RefOr::<Schema>::from(Schema::from(ArrayBuilder::new().items(string()).build()));
    let meta = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::RefOr(messages)))
        .description(Some("Messages by the dotted path of the field"));
    let entry = ObjectBuilder::new()
        .property("identifier", string().enum_values(Some(["ValidationError"])))
        .required("identifier")
        .property("details", string())
        .required("details")
        .property("meta", meta)
        .required("meta");
    let envelope = ObjectBuilder::new()
        .property("error_at", format(string(), "date-time"))
        .required("error_at")
        .property("errors", ArrayBuilder::new().items(entry))
        .required("errors");
    schemas.add("ValidationErrors", envelope)
}

pub(super) fn rate_limit_error(schemas: &mut Schemas) -> Ref {
    let envelope = ObjectBuilder::new()
        .property("message", string())
        .required("message")
        .property("type", string().enum_values(Some([RATE_LIMITED])))
        .required("type");
    schemas.add("RateLimitError", envelope)
}
