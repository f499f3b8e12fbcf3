//! The schemas: answers from the wire shapes, requests and errors by hand with the domain's limits.

use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema};

use contact_hub_domain::contacts::{
    MAX_AVATAR_URL, MAX_BULK_DELETE, MAX_BULK_UPSERT, MAX_PERSON_NAME,
};
use contact_hub_domain::email::MAX_EMAIL;
use contact_hub_domain::fields::{MAX_FIELD_NAME, MAX_REPLACED_VALUES};

use super::shapes::{Named, add, format, name, string, text};
use super::values::{FieldTypeName, Scalar, scalar_input};
use super::{access_schemas, events, operations, sync_schemas, webhooks_schemas};
use crate::contacts::json::{BulkResultJson, ContactDetailJson, ContactJson};
use crate::envelope::Meta;
use crate::error::RATE_LIMITED;
use crate::fields::json::{FieldJson, FieldValueJson};

/// Every schema by its name.
pub(super) fn all() -> Vec<Named> {
    let mut schemas = Vec::new();
    add::<ContactJson<'_>>("Contact", &mut schemas);
    add::<ContactDetailJson<'_>>("ContactDetail", &mut schemas);
    add::<BulkResultJson<'_>>("BulkResult", &mut schemas);
    add::<FieldJson<'_>>("Field", &mut schemas);
    add::<FieldValueJson<'_>>("FieldValueEntry", &mut schemas);
    add::<Meta>("PageMeta", &mut schemas);
    add::<Scalar>("Scalar", &mut schemas);
    add::<FieldTypeName>("FieldType", &mut schemas);
    schemas.push(("ScalarInput".to_owned(), scalar_input()));
    let by_hand = [
        ("BulkDeleteResult", bulk_delete_result()),
        ("FieldInput", field_input()),
        ("ContactInput", contact_input()),
        ("BulkInput", bulk_input()),
        ("BulkDeleteInput", bulk_delete_input()),
        ("FieldValuesInput", field_values_input()),
        ("ApplicationError", application_error()),
        ("ValidationErrors", validation_errors()),
        ("RateLimitError", rate_limit_error()),
    ];
    sync_schemas::add_all(&mut schemas);
    webhooks_schemas::add_all(&mut schemas);
    events::add_all(&mut schemas);
    access_schemas::add_all(&mut schemas);
    schemas.extend(by_hand.map(|(name, schema)| (name.to_owned(), schema.into())));
    schemas.sort_by(|(one, _), (other, _)| one.cmp(other));
    schemas.dedup_by(|(one, _), (other, _)| one == other);
    schemas
}

fn values(description: &str) -> ObjectBuilder {
    let value = RefOr::<Schema>::from(Ref::from_schema_name("ScalarInput"));
    ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::RefOr(value)))
        .description(Some(description))
}

fn field_input() -> Schema {
    let description = "Trimmed, then measured; the key is derived from its letters and digits, so it has at least one";
    ObjectBuilder::new()
        .property("name", name(MAX_FIELD_NAME).description(Some(description)))
        .required("name")
        .property("type", Ref::from_schema_name("FieldType"))
        .required("type")
        .into()
}

fn contact_input() -> Schema {
    let nullable =
        |kind| ObjectBuilder::new().schema_type(SchemaType::from_iter([kind, Type::Null]));
    let avatar = format(nullable(Type::String), "uri")
        .pattern(Some("^\\s*[Hh][Tt][Tt][Pp][Ss]?://"))
        .max_length(Some(MAX_AVATAR_URL))
        .description(Some("Absolute, http or https. Null clears it; absent in a bulk leaves it."));
    let values = values("Values by field key, each of its field's type");
    ObjectBuilder::new()
        .property("email", format(text(MAX_EMAIL), "idn-email"))
        .required("email")
        .property("first_name", name(MAX_PERSON_NAME))
        .required("first_name")
        .property("last_name", name(MAX_PERSON_NAME))
        .required("last_name")
        .property("avatar_url", avatar)
        .property(
            "field_values",
            values.schema_type(SchemaType::from_iter([Type::Object, Type::Null])),
        )
        .description(Some("Texts are trimmed, then measured in code points."))
        .into()
}

fn bulk_input() -> Schema {
    let rows = ArrayBuilder::new()
        .items(Ref::from_schema_name("ContactInput"))
        .description(Some("A row that is not valid fails alone"))
        .min_items(Some(1))
        .max_items(Some(MAX_BULK_UPSERT));
    ObjectBuilder::new().property("contacts", rows).required("contacts").into()
}

fn bulk_delete_input() -> Schema {
    let ids = ArrayBuilder::new()
        .items(ObjectBuilder::new().schema_type(Type::String))
        .min_items(Some(1))
        .max_items(Some(MAX_BULK_DELETE));
    ObjectBuilder::new().property("ids", ids).required("ids").into()
}

fn field_values_input() -> Schema {
    let values = values("What the contact has afterwards; a null entry is left out")
        .min_properties(Some(1))
        .max_properties(Some(MAX_REPLACED_VALUES));
    ObjectBuilder::new().property("field_values", values).required("field_values").into()
}

fn bulk_delete_result() -> Schema {
    let deleted = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
    ObjectBuilder::new().property("deleted", deleted).required("deleted").into()
}

fn application_error() -> Schema {
    let open = ArrayBuilder::new().items(format(string(), "uuid")).description(Some(
        "With `SYNC_NOT_REQUESTED` and `SYNC_AMBIGUOUS`: the asset's open syncs",
    ));
    let error = ObjectBuilder::new()
        .property("code", string().enum_values(Some(operations::codes())))
        .required("code")
        .property("message", string().description(Some("For people; it may change")))
        .required("message")
        .property("open_sync_ids", open);
    ObjectBuilder::new().property("error", error).required("error").into()
}

fn validation_errors() -> Schema {
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
    ObjectBuilder::new()
        .property("error_at", format(string(), "date-time"))
        .required("error_at")
        .property("errors", ArrayBuilder::new().items(entry))
        .required("errors")
        .into()
}

fn rate_limit_error() -> Schema {
    ObjectBuilder::new()
        .property("message", string())
        .required("message")
        .property("type", string().enum_values(Some([RATE_LIMITED])))
        .required("type")
        .into()
}
