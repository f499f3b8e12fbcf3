//! The shapes of fields and values in the OpenAPI document.

use serde_json::json;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use contact_hub_domain::fields::MAX_FIELD_NAME;

use super::json::{FieldJson, FieldValueJson};
use crate::openapi::shape::{Schemas, Shape, name, nullable};
use crate::openapi::values::{FieldTypeName, Scalar};

const ID: &str = "01931e3a-7c00-7000-8000-0000000000cd";

pub(crate) const FIELD: Shape = Shape::new(Schemas::of::<FieldJson<'_>>, || {
    json!({
        "id": ID,
        "key": "jobTitle",
        "name": "Job Title",
        "type": "string",
        "directory_id": "01931e3a-7c00-7000-8000-000000000001",
        "archived": false,
        "filterable": "no",
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

pub(crate) const FIELD_CHANGE: Shape =
    Shape::new(field_change, || json!({"name": "Position", "archived": false, "filterable": true}));

const FILTERABLE: &str = "Whether contacts can be filtered and sorted by the field; its values are then indexed, which \
     an answer shows as `building` and `yes`";

fn boolean(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Boolean).description(Some(description))
}

fn field_change(schemas: &mut Schemas) -> Ref {
    let input = ObjectBuilder::new()
        .property("name", name(MAX_FIELD_NAME).description(Some("The display name; the key stays")))
        .property("archived", boolean("Whether the field takes no new values"))
        .property("filterable", boolean(FILTERABLE));
    schemas.add("FieldChange", input)
}

fn field_input(schemas: &mut Schemas) -> Ref {
    let description = "Trimmed, then measured; the key is derived from its letters and digits, so it has at least one";
    let input = ObjectBuilder::new()
        .property("name", name(MAX_FIELD_NAME).description(Some(description)))
        .required("name")
        .property("type", schemas.of::<FieldTypeName>())
        .required("type")
        .property("filterable", nullable(Type::Boolean).description(Some(FILTERABLE)));
    schemas.add("FieldInput", input)
}
