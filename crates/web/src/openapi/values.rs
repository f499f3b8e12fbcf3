//! Types for schemas only: wire shapes name them where they have just a text or raw JSON.

use std::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use contact_hub_domain::access::Permission;
use contact_hub_domain::audit::AuditAction;
use contact_hub_domain::changes::ChangeType;
use contact_hub_domain::fields::{FieldType, Filterable, MAX_STRING_VALUE};
use contact_hub_domain::sync::{AssetType, Platform, SyncStatus};
use contact_hub_domain::webhooks::{DeliveryState, DisabledReason, ErrorClass, EventKind, Trigger};

use super::shape::Schemas;

/// A value of a field.
pub(crate) struct Scalar;

impl PartialSchema for Scalar {
    fn schema() -> RefOr<Schema> {
        let types = [Type::String, Type::Number, Type::Boolean];
        scalar(&types, "A value of the field's type; a number with every digit that was sent")
    }
}

impl ToSchema for Scalar {
    fn name() -> Cow<'static, str> {
        "Scalar".into()
    }
}

/// The value of a field in a request.
pub(crate) fn scalar_input(schemas: &mut Schemas) -> Ref {
    let types = [Type::String, Type::Number, Type::Boolean, Type::Null];
    let input = scalar(
        &types,
        "Of the field's type, nothing is coerced: `string` a string, `number` a number, `boolean` true or false, `date` \
         a string `YYYY-MM-DD`, `datetime` an RFC 3339 string with an offset. Null leaves the field without a value.",
    );
    schemas.add("ScalarInput", input)
}

fn scalar(types: &[Type], description: &str) -> RefOr<Schema> {
    let types: SchemaType = types.iter().cloned().collect();
    let scalar = ObjectBuilder::new().schema_type(types).max_length(Some(MAX_STRING_VALUE));
    Schema::from(scalar.description(Some(description))).into()
}

macro_rules! words {
    ($($(#[$doc:meta])* $kind:ident, $name:literal, $words:expr;)+) => {$(
        $(#[$doc])*
        pub(crate) struct $kind;

        impl PartialSchema for $kind {
            fn schema() -> RefOr<Schema> {
                let word = ObjectBuilder::new().schema_type(Type::String);
                Schema::from(word.enum_values(Some($words))).into()
            }
        }

        impl ToSchema for $kind {
            fn name() -> Cow<'static, str> {
                $name.into()
            }
        }
    )+};
}

words! {
    /// The name of a permission.
    PermissionName, "Permission", Permission::ALL.map(Permission::as_str);
    /// An action that the audit records.
    AuditActionName, "AuditAction", AuditAction::ALL.map(AuditAction::as_str);
    /// The type of a change.
    ChangeTypeName, "ChangeType", ChangeType::ALL.map(ChangeType::as_str);
    /// The name of a field's type.
    FieldTypeName, "FieldType", FieldType::ALL.map(FieldType::as_str);
    /// Whether contacts can be filtered and sorted by a field.
    FilterableName, "Filterable", Filterable::ALL.map(Filterable::as_str);
    /// The name of an asset's type.
    AssetTypeName, "AssetType", AssetType::ALL.map(AssetType::as_str);
    /// The name of a merge tag format.
    MergeTagFormat, "MergeTagFormat", Platform::ALL.map(Platform::as_str);
    /// The status of a sync.
    SyncStatusName, "SyncStatus", SyncStatus::ALL.map(SyncStatus::as_str);
    /// The kind of an event to which a webhook may subscribe.
    EventName, "EventName", EventKind::SUBSCRIBABLE.map(EventKind::as_str);
    /// Why a webhook is off.
    DisabledReasonName, "DisabledReason", DisabledReason::ALL.map(DisabledReason::as_str);
    /// The state of a delivery.
    DeliveryStateName, "DeliveryState", DeliveryState::ALL.map(DeliveryState::as_str);
    /// What triggered an attempt.
    TriggerName, "AttemptTrigger", Trigger::ALL.map(Trigger::as_str);
    /// The error class of an attempt without an answer.
    ErrorClassName, "ErrorClass", ErrorClass::ALL.map(ErrorClass::as_str);
}
