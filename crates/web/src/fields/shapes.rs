//! The shapes of fields and values in the OpenAPI document.

use serde_json::json;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::ObjectBuilder;

use contact_hub_domain::fields::MAX_FIELD_NAME;

use super::json::{FieldJson, FieldValueJson};
use crate::openapi::shape::{Schemas, Shape, name};
use crate::openapi::values::{FieldTypeName, Scalar};

const ID: &str = "01931e3a-7c00-7000-8000-0000000000cd";

pub(crate) const FIELD: Shape = Shape::new(Schemas::of::<FieldJson<'_>>, || {
    json!({
        "id": ID,
        "key": "jobTitle",
        "name": "Job Title",
        "type": "string",
        "directory_id": "01931e3a-7c00-7000-8000-000000000001",
    })
});

pub(crate) const FIELD_VALUE: Shape = Shape::new(Schemas::of::<FieldValueJson<'_>>, || {
    json!({
        "field_id": ID,
        "key": "jobTitle",
        "name": "Job Title",
        "type": "string",
        "value": "Head of Sales",
    })
});

pub(crate) const SCALAR: Shape = Shape::new(Schemas::of::<Scalar>, || json!("Head of Sales"));

pub(crate) const FIELD_INPUT: Shape =
    Shape::new(field_input, || json!({"name": "Job Title", "type": "string"}));

fn field_input(schemas: &mut Schemas) -> Ref {
    let description = "Trimmed, then measured; the key is derived from its letters and digits, so it has at least one";
    let input = ObjectBuilder::new()
        .property("name", name(MAX_FIELD_NAME).description(Some(description)))
        .required("name")
        .property("type", schemas.of::<FieldTypeName>())
        .required("type");
    schemas.add("FieldInput", input)
}
