//! The shapes of assets, integrations and syncs in the OpenAPI document.

use serde_json::{Value, json};
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema};

use contact_hub_domain::sync::{
    AssetType, MAX_ASSET_BODY, MAX_ASSET_NAME, MAX_ERROR_MESSAGE, MAX_INTEGRATION_NAME, MAX_MAP_ID,
    MAX_MAP_URL, MAX_MAPPED_TAGS, MAX_REPLACEMENT, MAX_SUBJECT,
};

use super::json::{AssetJson, AssetSummaryJson, ContentJson, IntegrationJson, SyncJson};
use crate::openapi::shape::{
    Schemas, Shape, format, joined, name, nullable, required, string, text,
};
use crate::openapi::values::{AssetTypeName, MergeTagFormat};

const ASSET_ID: &str = "01931e3a-7c00-7000-8000-0000000000a1";
const INTEGRATION_ID: &str = "01931e3a-7c00-7000-8000-0000000000b1";
const SYNC_ID: &str = "01931e3a-7c00-7000-8000-0000000000c1";
const AT: &str = "2026-11-20T09:30:00+00:00";

pub(crate) const ASSET_SUMMARY: Shape = Shape::new(Schemas::of::<AssetSummaryJson<'_>>, summary);

pub(crate) const ASSET: Shape = Shape::new(Schemas::of::<AssetJson<'_>>, || {
    let more = json!({
        "html": "<p>Hello {{first_name|there}}</p>",
        "text": "Hello {{first_name|there}}",
        "text_is_made": true,
        "latest_syncs": [sync()],
    });
    joined(summary(), more)
});

pub(crate) const ASSET_INPUT: Shape = Shape::new(
    |schemas| {
        let asset = required(asset(schemas), &["name", "type", "html"]);
        schemas.add("AssetInput", asset)
    },
    || {
        json!({
            "name": "Spring sale",
            "type": "email",
            "html": "<p>Hello {{first_name|there}}</p>",
            "subject": "Spring is here",
            "preheader": "Up to half off",
        })
    },
);

pub(crate) const ASSET_CHANGE: Shape = Shape::new(
    |schemas| {
        let asset = asset(schemas);
        schemas.add("AssetChange", asset)
    },
    || json!({"subject": "Spring is over", "preheader": null}),
);

pub(crate) const INTEGRATION: Shape = Shape::new(Schemas::of::<IntegrationJson<'_>>, || {
    let integration = joined(json!({"id": INTEGRATION_ID}), (INTEGRATION_INPUT.example)());
    joined(integration, json!({"created_at": AT, "updated_at": AT}))
});

pub(crate) const INTEGRATION_INPUT: Shape = Shape::new(
    |schemas| {
        let names = ["name", "asset_types", "merge_tag_format"];
        let integration = required(integration(schemas), &names);
        schemas.add("IntegrationInput", integration)
    },
    || {
        json!({
            "name": "Our platform",
            "asset_types": ["email", "landing_page"],
            "merge_tag_format": "liquid",
            "merge_tag_mapping": {"field:jobTitle": "{{ person.title }}"},
        })
    },
);

pub(crate) const INTEGRATION_CHANGE: Shape = Shape::new(
    |schemas| {
        let integration = integration(schemas);
        schemas.add("IntegrationChange", integration)
    },
    || json!({"merge_tag_format": "handlebars"}),
);

pub(crate) const SYNC: Shape = Shape::new(Schemas::of::<SyncJson<'_>>, sync);

pub(crate) const SYNC_INPUT: Shape =
    Shape::new(sync_input, || json!({"integration_id": INTEGRATION_ID}));

pub(crate) const SYNC_REPORT: Shape = Shape::new(sync_report, || {
    json!({
        "status": "completed",
        "map_id": "4711",
        "map_url": "https://platform.example/emails/4711",
    })
});

pub(crate) const CONTENT: Shape = Shape::new(Schemas::of::<ContentJson<'_>>, || {
    json!({
        "id": ASSET_ID,
        "name": "Spring sale",
        "type": "email",
        "subject": "Spring is here",
        "preheader": "Up to half off",
        "updated_at": AT,
        "html": "<p>Hello {{first_name|there}}</p>",
        "text": "Hello {{first_name|there}}",
        "platform": null,
        "merge_tags": ["first_name"],
    })
});

fn summary() -> Value {
    json!({
        "id": ASSET_ID,
        "name": "Spring sale",
        "type": "email",
        "subject": "Spring is here",
        "preheader": "Up to half off",
        "sync_status": "sync_requested",
        "created_at": AT,
        "updated_at": AT,
    })
}

fn sync() -> Value {
    json!({
        "id": SYNC_ID,
        "asset_id": ASSET_ID,
        "integration_id": INTEGRATION_ID,
        "status": "sync_requested",
        "map_id": null,
        "map_url": null,
        "error_message": null,
        "requested_by": "ann@example.com",
        "requested_at": AT,
        "reported_at": null,
    })
}

fn asset(schemas: &mut Schemas) -> ObjectBuilder {
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
        .property("type", schemas.of::<AssetTypeName>())
        .property("html", measured().pattern(Some(r"\S")).description(Some(html)))
        .property("text", measured().schema_type(text_type).description(Some(plain)))
        .property("subject", line("Required for an email, refused for a landing page"))
        .property("preheader", line("For an email alone"))
}

fn integration(schemas: &mut Schemas) -> ObjectBuilder {
    let types = ArrayBuilder::new()
        .items(schemas.of::<AssetTypeName>())
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
        .property("merge_tag_format", schemas.of::<MergeTagFormat>())
        .property("merge_tag_mapping", mapping)
}

fn sync_input(schemas: &mut Schemas) -> Ref {
    let id = format(string(), "uuid");
    let input = ObjectBuilder::new().property("integration_id", id).required("integration_id");
    schemas.add("SyncInput", input)
}

fn sync_report(schemas: &mut Schemas) -> Ref {
    let text = |max, description: &'static str| {
        nullable(Type::String).max_length(Some(max)).description(Some(description))
    };
    let id = text(MAX_MAP_ID, "Required when completed: the platform's own id for the asset");
    let url = text(MAX_MAP_URL, "Required when completed: absolute, http or https");
    let message = text(MAX_ERROR_MESSAGE, "Required when failed");
    let sync = format(nullable(Type::String), "uuid");
    let report = ObjectBuilder::new()
        .property("status", string().enum_values(Some(["completed", "failed"])))
        .property("map_id", id)
        .property("map_url", format(url, "uri"))
        .property("error_message", message)
        .property("sync_id", sync.description(Some("Needed when several syncs are open")));
    schemas.add("SyncReport", required(report, &["status"]))
}
