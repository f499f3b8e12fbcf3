//! The schemas of assets, integrations and syncs.

use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema};

use contact_hub_domain::sync::{
    AssetType, MAX_ASSET_BODY, MAX_ASSET_NAME, MAX_ERROR_MESSAGE, MAX_INTEGRATION_NAME, MAX_MAP_ID,
    MAX_MAP_URL, MAX_MAPPED_TAGS, MAX_REPLACEMENT, MAX_SUBJECT,
};

use super::shapes::{Named, add, format, name, string, text};
use super::values::{AssetTypeName, MergeTagFormat, SyncStatusName};
use crate::sync::json::{AssetJson, AssetSummaryJson, ContentJson, IntegrationJson, SyncJson};

/// Adds every schema by its name.
pub(super) fn add_all(schemas: &mut Vec<Named>) {
    add::<AssetJson<'_>>("Asset", schemas);
    add::<AssetSummaryJson<'_>>("AssetSummary", schemas);
    add::<IntegrationJson<'_>>("Integration", schemas);
    add::<SyncJson<'_>>("Sync", schemas);
    add::<ContentJson<'_>>("Content", schemas);
    add::<AssetTypeName>("AssetType", schemas);
    add::<MergeTagFormat>("MergeTagFormat", schemas);
    add::<SyncStatusName>("SyncStatus", schemas);
    let by_hand = [
        ("AssetInput", required(asset(), &["name", "type", "html"])),
        ("AssetChange", asset()),
        ("IntegrationInput", required(integration(), &["name", "asset_types", "merge_tag_format"])),
        ("IntegrationChange", integration()),
        ("SyncInput", sync_input()),
        ("SyncReport", required(report(), &["status"])),
    ];
    schemas
        .extend(by_hand.map(|(name, schema)| (name.to_owned(), RefOr::from(Schema::from(schema)))));
}

fn required(object: ObjectBuilder, names: &[&str]) -> ObjectBuilder {
    names.iter().fold(object, |object, name| object.required(*name))
}

fn nullable(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::from_iter([kind, Type::Null]))
}

fn asset() -> ObjectBuilder {
    let line = |description| {
        let printable = r"^[^\x00-\x08\x0A-\x1F\x7F-\x9F]*$";
        let line = nullable(Type::String).max_length(Some(MAX_SUBJECT)).pattern(Some(printable));
        line.description(Some(description))
    };
    let html = format!("At most {MAX_ASSET_BODY} bytes of UTF-8, kept to the byte");
    let plain = format!("At most {MAX_ASSET_BODY} bytes of UTF-8; made from the HTML when absent");
    let measured = || string().max_length(Some(MAX_ASSET_BODY));
    let text_type = SchemaType::from_iter([Type::String, Type::Null]);
    ObjectBuilder::new()
        .property("name", name(MAX_ASSET_NAME))
        .property("type", Ref::from_schema_name("AssetType"))
        .property("html", measured().pattern(Some(r"\S")).description(Some(html)))
        .property("text", measured().schema_type(text_type).description(Some(plain)))
        .property("subject", line("Required for an email, refused for a landing page"))
        .property("preheader", line("For an email alone"))
}

fn integration() -> ObjectBuilder {
    let types = ArrayBuilder::new()
        .items(Ref::from_schema_name("AssetType"))
        .min_items(Some(1))
        .max_items(Some(AssetType::ALL.len()))
        .unique_items(true);
    let own = RefOr::<Schema>::from(Schema::from(text(MAX_REPLACEMENT)));
    let mapping = nullable(Type::Object)
        .additional_properties(Some(AdditionalProperties::RefOr(own)))
        .max_properties(Some(MAX_MAPPED_TAGS))
        .description(Some(
            "The company's own texts by merge tag, such as `first_name` or `field:jobTitle`; they win over the \
             built-in conversion",
        ));
    ObjectBuilder::new()
        .property("name", name(MAX_INTEGRATION_NAME))
        .property("asset_types", types)
        .property("merge_tag_format", Ref::from_schema_name("MergeTagFormat"))
        .property("merge_tag_mapping", mapping)
}

fn sync_input() -> ObjectBuilder {
    let id = format(string(), "uuid");
    ObjectBuilder::new().property("integration_id", id).required("integration_id")
}

fn report() -> ObjectBuilder {
    let text = |max, description: &'static str| {
        nullable(Type::String).max_length(Some(max)).description(Some(description))
    };
    let id = text(MAX_MAP_ID, "Required when completed: the platform's own id for the asset");
    let url = text(MAX_MAP_URL, "Required when completed: absolute, http or https");
    let message = text(MAX_ERROR_MESSAGE, "Required when failed");
    let sync = format(nullable(Type::String), "uuid");
    ObjectBuilder::new()
        .property("status", string().enum_values(Some(["completed", "failed"])))
        .property("map_id", id)
        .property("map_url", format(url, "uri"))
        .property("error_message", message)
        .property("sync_id", sync.description(Some("Needed when several syncs are open")))
}
