//! The shapes of contacts in the OpenAPI document.

use serde_json::{Value, json};
use utoipa::openapi::schema::{
    AdditionalProperties, AllOfBuilder, ArrayBuilder, ObjectBuilder, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema};

use contact_hub_domain::contacts::{
    MAX_AVATAR_URL, MAX_BULK_DELETE, MAX_BULK_UPSERT, MAX_CHANGED_VALUES, MAX_LOOKUP,
    MAX_PERSON_NAME, MAX_REPLACED_VALUES,
};
use contact_hub_domain::email::MAX_EMAIL;

use super::json::{BulkResultJson, ContactDetailJson, ContactJson, EverythingJson};
use crate::audit::shapes::AUDIT_ENTRY;
use crate::changes::shapes::CHANGE;
use crate::fields::shapes::FIELD_VALUE;
use crate::openapi::shape::{Schemas, Shape, format, joined, name, nullable, string, text};
use crate::openapi::values::scalar_input;
use crate::webhooks::shapes::DELIVERY;

const ID: &str = "01931e3a-7c00-7000-8000-0000000000ab";

pub(crate) const CONTACT: Shape = Shape::new(Schemas::of::<ContactJson<'_>>, contact);

pub(crate) const CONTACT_DETAIL: Shape = Shape::new(Schemas::of::<ContactDetailJson<'_>>, || {
    joined(contact(), json!({"field_values": [(FIELD_VALUE.example)()]}))
});

/// A contact as lists have it.
pub(crate) const LISTED_CONTACT: Shape = Shape::new(listed_contact, contact);

pub(crate) const BULK_RESULT: Shape = Shape::new(Schemas::of::<BulkResultJson<'_>>, || {
    json!({"created": 1, "updated": 0, "failed": 1, "errors": [{
        "index": 1, "email": "bob@example", "details": {"email": ["must be a valid email address"]},
    }]})
});

pub(crate) const BULK_DELETE_RESULT: Shape =
    Shape::new(bulk_delete_result, || json!({"deleted": 1}));

pub(crate) const CONTACT_INPUT: Shape = Shape::new(contact_input, || {
    json!({
        "email": "ann@example.com",
        "first_name": "Ann",
        "last_name": "Lee",
        "avatar_url": "https://example.com/ann.png",
        "field_values": {"jobTitle": "Head of Sales"},
    })
});

pub(crate) const CONTACT_CHANGE_INPUT: Shape = Shape::new(
    contact_change_input,
    || json!({"last_name": "Li", "avatar_url": null, "field_values": {"jobTitle": "Head of Sales"}}),
);

pub(crate) const LOOKUP_INPUT: Shape =
    Shape::new(lookup_input, || json!({"emails": ["ann@example.com", "bob@example.com"]}));

/// A line of an export.
pub(crate) const EXPORTED_CONTACT: Shape = Shape::new(exported_contact, || {
    joined((CONTACT_DETAIL.example)(), json!({"_cursor": "hPkyk3YR2hNbMTc2NzIyNTYwMDAwMDAwMCwi"}))
});

pub(crate) const BULK_INPUT: Shape = Shape::new(bulk_input, || {
    let contact = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
    json!({"contacts": [contact]})
});

pub(crate) const BULK_DELETE_INPUT: Shape = Shape::new(bulk_delete_input, || json!({"ids": [ID]}));

pub(crate) const FIELD_VALUES_INPUT: Shape =
    Shape::new(field_values_input, || json!({"field_values": {"jobTitle": "Head of Sales"}}));

pub(crate) const EVERYTHING: Shape = Shape::new(Schemas::of::<EverythingJson<'_>>, || {
    json!({
        "contact": (CONTACT_DETAIL.example)(),
        "changes": [(CHANGE.example)()],
        "deliveries": [(DELIVERY.example)()],
        "audit": [(AUDIT_ENTRY.example)()],
    })
});

pub(crate) const ERASURE_INPUT: Shape = Shape::new(erasure_input, || json!({"block": true}));

pub(crate) const UNBLOCK_INPUT: Shape =
    Shape::new(unblock_input, || json!({"email": "ann@example.com"}));

fn listed_contact(schemas: &mut Schemas) -> Ref {
    let values = ArrayBuilder::new()
        .items((FIELD_VALUE.schema)(schemas))
        .description(Some("Only with `include=field_values`"));
    let listed = AllOfBuilder::new()
        .item(schemas.of::<ContactJson<'_>>())
        .item(ObjectBuilder::new().property("field_values", values));
    schemas.add("ListedContact", listed)
}

fn exported_contact(schemas: &mut Schemas) -> Ref {
    let cursor = string().description(Some("The `page[after]` with which an export goes on"));
    let line = AllOfBuilder::new()
        .item(schemas.of::<ContactDetailJson<'_>>())
        .item(ObjectBuilder::new().property("_cursor", cursor).required("_cursor"));
    schemas.add("ExportedContact", line)
}

fn lookup_input(schemas: &mut Schemas) -> Ref {
    let list =
        || ArrayBuilder::new().items(string()).min_items(Some(1)).max_items(Some(MAX_LOOKUP));
    let input = ObjectBuilder::new()
        .property("ids", list())
        .property("emails", list())
        .description(Some("Exactly one of the two"));
    schemas.add("LookupInput", input)
}

fn contact() -> Value {
    json!({
        "id": ID,
        "first_name": "Ann",
        "last_name": "Lee",
        "email": "ann@example.com",
        "avatar_url": "https://example.com/ann.png",
        "supervisor_id": null,
        "created_at": "2026-11-20T09:30:00+00:00",
        "updated_at": "2026-11-20T09:30:00+00:00",
    })
}

fn values(description: &str, schemas: &mut Schemas) -> ObjectBuilder {
    let value = RefOr::<Schema>::from(scalar_input(schemas));
    ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::RefOr(value)))
        .description(Some(description))
}

fn avatar() -> ObjectBuilder {
    format(nullable(Type::String), "uri")
        .pattern(Some("^\\s*[Hh][Tt][Tt][Pp][Ss]?://"))
        .max_length(Some(MAX_AVATAR_URL))
        .description(Some(
            "Absolute, http or https. Null clears it; absent in a bulk or a change leaves it.",
        ))
}

fn contact_change_input(schemas: &mut Schemas) -> Ref {
    let values = values("Merged into the contact's values; null removes one", schemas)
        .min_properties(Some(1))
        .max_properties(Some(MAX_CHANGED_VALUES));
    let input = ObjectBuilder::new()
        .property("email", format(text(MAX_EMAIL), "idn-email"))
        .property("first_name", name(MAX_PERSON_NAME))
        .property("last_name", name(MAX_PERSON_NAME))
        .property("avatar_url", avatar())
        .property("field_values", values)
        .min_properties(Some(1))
        .description(Some("What is absent stays; at least one of the properties"));
    schemas.add("ContactChangeInput", input)
}

fn contact_input(schemas: &mut Schemas) -> Ref {
    let values = values("Values by field key, each of its field's type", schemas);
    let input = ObjectBuilder::new()
        .property("email", format(text(MAX_EMAIL), "idn-email"))
        .required("email")
        .property("first_name", name(MAX_PERSON_NAME))
        .required("first_name")
        .property("last_name", name(MAX_PERSON_NAME))
        .required("last_name")
        .property("avatar_url", avatar())
        .property(
            "field_values",
            values.schema_type(SchemaType::from_iter([Type::Object, Type::Null])),
        )
        .description(Some("Texts are trimmed, then measured in code points."));
    schemas.add("ContactInput", input)
}

fn bulk_input(schemas: &mut Schemas) -> Ref {
    let rows = ArrayBuilder::new()
        .items(contact_input(schemas))
        .description(Some("A row that is not valid fails alone"))
        .min_items(Some(1))
        .max_items(Some(MAX_BULK_UPSERT));
    let input = ObjectBuilder::new().property("contacts", rows).required("contacts");
    schemas.add("BulkInput", input)
}

fn bulk_delete_input(schemas: &mut Schemas) -> Ref {
    let ids =
        ArrayBuilder::new().items(string()).min_items(Some(1)).max_items(Some(MAX_BULK_DELETE));
    let input = ObjectBuilder::new().property("ids", ids).required("ids");
    schemas.add("BulkDeleteInput", input)
}

fn field_values_input(schemas: &mut Schemas) -> Ref {
    let values = values("What the contact has afterwards; a null entry is left out", schemas)
        .min_properties(Some(1))
        .max_properties(Some(MAX_REPLACED_VALUES));
    let input = ObjectBuilder::new().property("field_values", values).required("field_values");
    schemas.add("FieldValuesInput", input)
}

fn bulk_delete_result(schemas: &mut Schemas) -> Ref {
    let deleted = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
    let result = ObjectBuilder::new().property("deleted", deleted).required("deleted");
    schemas.add("BulkDeleteResult", result)
}

fn erasure_input(schemas: &mut Schemas) -> Ref {
    let block = ObjectBuilder::new().schema_type(Type::Boolean);
    let block = block.description(Some("Whether no contact may have the email from now on"));
    schemas.add("ErasureInput", ObjectBuilder::new().property("block", block))
}

fn unblock_input(schemas: &mut Schemas) -> Ref {
    let email = format(text(MAX_EMAIL), "idn-email");
    let input = ObjectBuilder::new().property("email", email).required("email");
    schemas.add("UnblockInput", input)
}
