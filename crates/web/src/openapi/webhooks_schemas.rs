//! The schemas of webhooks and deliveries.

use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

use contact_hub_domain::webhooks::{
    DEFAULT_GRACE, MAX_EVENTS, MAX_GRACE, MAX_PAYLOAD_URL, MAX_SECRET, MAX_WEBHOOK_NAME, MIN_SECRET,
};

use super::shapes::{Named, add, format, name, string};
use super::values::{
    DeliveryStateName, DisabledReasonName, ErrorClassName, EventName, TriggerName,
};
use crate::webhooks::json::{
    AttemptJson, DeliveryDetailJson, DeliveryJson, RecoveryJson, TestAttemptJson, WebhookJson,
    WebhookWithSecretJson,
};

/// Adds every schema by its name.
pub(super) fn add_all(schemas: &mut Vec<Named>) {
    add::<WebhookJson<'_>>("Webhook", schemas);
    add::<WebhookWithSecretJson<'_>>("WebhookWithSecret", schemas);
    add::<DeliveryJson<'_>>("Delivery", schemas);
    add::<DeliveryDetailJson<'_>>("DeliveryDetail", schemas);
    add::<AttemptJson<'_>>("Attempt", schemas);
    add::<TestAttemptJson<'_>>("TestAttempt", schemas);
    add::<RecoveryJson>("Recovery", schemas);
    add::<EventName>("EventName", schemas);
    add::<DisabledReasonName>("DisabledReason", schemas);
    add::<DeliveryStateName>("DeliveryState", schemas);
    add::<TriggerName>("AttemptTrigger", schemas);
    add::<ErrorClassName>("ErrorClass", schemas);
    let required =
        ["name", "url", "events"].iter().fold(webhook(), |object, name| object.required(*name));
    let by_hand = [
        ("WebhookInput", Schema::from(required)),
        ("WebhookChange", webhook().into()),
        ("WebhookMaybeWithSecret", maybe_with_secret()),
        ("RotationInput", rotation()),
        ("RecoveryInput", recovery()),
    ];
    schemas.extend(by_hand.map(|(name, schema)| (name.to_owned(), RefOr::from(schema))));
}

fn secret() -> ObjectBuilder {
    let description = format!(
        "A text of one's own choice, at least {MIN_SECRET} characters; a generated one when there is none"
    );
    string()
        .min_length(Some(MIN_SECRET))
        .max_length(Some(MAX_SECRET))
        .description(Some(description))
}

fn webhook() -> ObjectBuilder {
    let url = format(string(), "uri")
        .max_length(Some(MAX_PAYLOAD_URL))
        .pattern(Some("^\\s*[Hh][Tt][Tt][Pp][Ss]?://"))
        .description(Some(
            "https, without user name and password, and not to a private or otherwise special address, unless the \
             operator allows it",
        ));
    let events = ArrayBuilder::new()
        .items(Ref::from_schema_name("EventName"))
        .min_items(Some(1))
        .max_items(Some(MAX_EVENTS));
    ObjectBuilder::new()
        .property("name", name(MAX_WEBHOOK_NAME))
        .property("url", url)
        .property("secret", secret())
        .property("events", events)
        .property("enabled", ObjectBuilder::new().schema_type(Type::Boolean))
}

/// A webhook, with its secret when the change gave it a new one.
fn maybe_with_secret() -> Schema {
    let shown = ObjectBuilder::new()
        .property("secret", string())
        .property("whsec_secret", string())
        .description(Some("Only when the change has a new secret"));
    AllOfBuilder::new().item(Ref::from_schema_name("Webhook")).item(shown).into()
}

fn rotation() -> Schema {
    let seconds = |time: std::time::Duration| time.as_secs();
    let grace = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(0))
        .maximum(usize::try_from(seconds(MAX_GRACE)).ok())
        .default(Some(seconds(DEFAULT_GRACE).into()))
        .description(Some("How long the old secret stays valid; 0 ends it at once"));
    let secret = secret().schema_type(SchemaType::from_iter([Type::String, Type::Null]));
    ObjectBuilder::new().property("secret", secret).property("grace_seconds", grace).into()
}

fn recovery() -> Schema {
    ObjectBuilder::new()
        .property("webhook_id", format(string(), "uuid"))
        .required("webhook_id")
        .property("since", format(string(), "date-time"))
        .required("since")
        .into()
}
