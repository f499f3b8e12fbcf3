//! The webhooks of the document: the requests that the service sends.

use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{
    ContentBuilder, PathItem, Paths, PathsBuilder, Ref, RefOr, Required, ResponseBuilder, Schema,
};

use contact_hub_domain::alerts::AlertKind;
use contact_hub_domain::webhooks::{EventKind, MAX_ENTRIES};

use super::shape::{Schemas, format, nullable, string};
use super::values::{AssetTypeName, MergeTagFormat};
use crate::changes::shapes::CHANGE;
use crate::webhooks::catalogue::{example, summary};

const SIGNED: &str = "Signed over exactly the bytes that are sent; verify them before they are parsed. An event may come more than \
    once, always under the same `id`. An answer outside 200 to 299, or none within 15 seconds, is tried again \
    for about three days; 410 switches the webhook off.";

/// Every webhook.
pub(super) fn webhooks(schemas: &mut Schemas) -> Paths {
    let webhooks = EventKind::ALL.into_iter().fold(PathsBuilder::new(), |paths, kind| {
        let operation = operation(kind, schema(schemas, kind));
        paths.path(kind.as_str(), PathItem::new(HttpMethod::Post, operation))
    });
    webhooks.build()
}

fn schema(schemas: &mut Schemas, kind: EventKind) -> Ref {
    match kind {
        EventKind::SyncRequested => requested_schema(schemas),
        EventKind::ContactsChanged => changed_schema(schemas, "ContactsChangedEvent", kind),
        EventKind::FieldsChanged => changed_schema(schemas, "FieldsChangedEvent", kind),
        EventKind::SyncsChanged => changed_schema(schemas, "SyncsChangedEvent", kind),
        EventKind::AlertRaised => alert_schema(schemas),
        EventKind::Test => tested_schema(schemas),
    }
}

fn operation(kind: EventKind, schema: Ref) -> Operation {
    let content = ContentBuilder::new().schema(Some(schema));
    let body = RequestBodyBuilder::new()
        .content("application/json", content.example(Some(example(kind))).build())
        .required(Some(Required::True));
    let answer = |description: &str| ResponseBuilder::new().description(description).build();
    OperationBuilder::new()
        .operation_id(Some(format!("{}Event", kind.as_str())))
        .summary(Some(summary(kind)))
        .description(Some(SIGNED))
        .tag("webhooks")
        .parameters(Some(headers()))
        .request_body(Some(body.build()))
        .response("2XX", answer("Taken; what it asks for may be done later"))
        .response("410", answer("Nobody is here any more; the webhook is switched off"))
        .response(
            "default",
            answer("Not taken; tried again, not before `Retry-After` of a 429 or 503"),
        )
        .build()
}

fn headers() -> Vec<Parameter> {
    let hex = || string().pattern(Some("^[0-9a-f]{64}$"));
    let header = |name: &str, required, schema: ObjectBuilder, description: &str| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(required)
            .schema(Some(schema))
            .description(Some(description))
            .build()
    };
    let (always, sometimes) = (Required::True, Required::False);
    let previous = "The same with the secret before, while it is valid after a rotation";
    let standard = "Of the Standard Webhooks specification: for each valid secret, the newest first, `v1,` and the base64 of \
         HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`";
    let service =
        "Lower-case hex of HMAC-SHA256 over the body, under the webhook's secret as it was entered";
    let seconds = string().pattern(Some("^[0-9]+$"));
    vec![
        header("Service-Signature", always.clone(), hex(), service),
        header("Service-Signature-Previous", sometimes, hex(), previous),
        header("webhook-id", always.clone(), format(string(), "uuid"), "The event's id"),
        header(
            "webhook-timestamp",
            always.clone(),
            seconds,
            "When this attempt was signed, in epoch seconds",
        ),
        header("webhook-signature", always, string(), standard),
    ]
}

/// An object that has all of these.
fn object(properties: Vec<(&str, RefOr<Schema>)>) -> Schema {
    let object = ObjectBuilder::new();
    let object = properties
        .into_iter()
        .fold(object, |object, (name, schema)| object.property(name, schema).required(name));
    object.into()
}

fn requested_schema(schemas: &mut Schemas) -> Ref {
    let plain = |schema: ObjectBuilder| RefOr::from(Schema::from(schema));
    let id = || plain(format(string(), "uuid"));
    let maybe = || nullable(Type::String);
    let link = |description: &str| plain(format(string(), "uri").description(Some(description)));
    let kind = string().enum_values(Some([EventKind::SyncRequested.as_str()]));
    let again = "`resync` when a sync of the asset to the integration was completed before";
    let sync_type = string().enum_values(Some(["sync", "resync"])).description(Some(again));
    let map_id = maybe().description(Some("What the last completed sync reported"));
    let by = maybe().description(Some("The email of the user who asked for it"));
    let event = object(vec![
        (
            "id",
            plain(
                format(string(), "uuid")
                    .description(Some("The event's; the same on every attempt")),
            ),
        ),
        ("event", plain(kind)),
        ("created_at", plain(format(string(), "date-time"))),
        ("content_link", link("The content in the integration's format; GET it with an API key")),
        ("sync_status_link", link("PATCH the result there, with an API key")),
        ("sync_id", id()),
        ("sync_type", plain(sync_type)),
        ("asset_id", id()),
        ("asset_name", plain(string())),
        ("asset_type", schemas.of::<AssetTypeName>().into()),
        ("integration_id", id()),
        ("integration_name", plain(string())),
        ("platform", schemas.of::<MergeTagFormat>().into()),
        ("map_id", plain(map_id)),
        ("map_url", plain(format(maybe(), "uri"))),
        ("requested_by", plain(by)),
    ]);
    schemas.add("SyncRequestedEvent", event)
}

fn changed_schema(schemas: &mut Schemas, name: &str, kind: EventKind) -> Ref {
    let plain = |schema: ObjectBuilder| RefOr::from(Schema::from(schema));
    let changes = ArrayBuilder::new()
        .items((CHANGE.schema)(schemas))
        .max_items(Some(MAX_ENTRIES))
        .description(Some(
            "Entries of the change feed, in its order; fewer, or none, after a contact was erased. Those of one object arrive in their order unless a delivery waits \
             to be tried again.",
        ));
    let event = object(vec![
        ("id", plain(format(string(), "uuid"))),
        ("event", plain(string().enum_values(Some([kind.as_str()])))),
        ("created_at", plain(format(string(), "date-time"))),
        ("changes", RefOr::from(Schema::from(changes))),
    ]);
    schemas.add(name, event)
}

fn alert_schema(schemas: &mut Schemas) -> Ref {
    let plain = |schema: ObjectBuilder| RefOr::from(Schema::from(schema));
    let moment =
        |description: &str| plain(format(string(), "date-time").description(Some(description)));
    let about = "The webhook or the API key, or the user who imported";
    let event = object(vec![
        ("id", plain(format(string(), "uuid"))),
        ("event", plain(string().enum_values(Some([EventKind::AlertRaised.as_str()])))),
        ("created_at", moment("When the event was made")),
        ("alert", plain(string().enum_values(Some(AlertKind::ALL.map(AlertKind::as_str))))),
        ("object_id", plain(format(string(), "uuid").description(Some(about)))),
        ("name", plain(string().description(Some("The name of the object or of the file")))),
        ("detail", plain(string().description(Some("A sentence for people")))),
        ("at", moment("When it happened")),
    ]);
    schemas.add("AlertRaisedEvent", event)
}

fn tested_schema(schemas: &mut Schemas) -> Ref {
    let plain = |schema: ObjectBuilder| RefOr::from(Schema::from(schema));
    let event = object(vec![
        ("id", plain(format(string(), "uuid"))),
        ("event", plain(string().enum_values(Some([EventKind::Test.as_str()])))),
        ("created_at", plain(format(string(), "date-time"))),
        ("webhook_id", plain(format(string(), "uuid"))),
    ]);
    schemas.add("TestEvent", event)
}
