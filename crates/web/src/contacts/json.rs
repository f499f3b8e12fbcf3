//! How contacts look on the wire.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use contact_hub_domain::audit::AuditEntry;
use contact_hub_domain::contacts::{
    AvatarUrl, BulkDraft, BulkResult, ChangeDraft, Contact, ContactDetail, ContactDraft,
    ErasureDraft, Everything, FailedRow, MAX_BULK_UPSERT, RowDraft, UnblockDraft,
};
use contact_hub_domain::input::Input;

use crate::audit::json::AuditEntryJson;
use crate::changes::json::ChangeJson;
use crate::extract::Object;
use crate::fields::json::FieldValueJson;
use crate::webhooks::json::DeliveryJson;

/// A contact without its values.
#[derive(Serialize, ToSchema)]
#[schema(as = Contact)]
pub(crate) struct ContactJson<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: Uuid,
    first_name: &'a str,
    last_name: &'a str,
    email: &'a str,
    #[schema(required, format = "uri")]
    avatar_url: Option<&'a str>,
    /// The interface shows it as null in every answer.
    #[schema(required)]
    supervisor_id: Option<&'a str>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

impl<'a> From<&'a Contact> for ContactJson<'a> {
    fn from(contact: &'a Contact) -> Self {
        Self {
            id: contact.id.uuid(),
            first_name: contact.first_name.as_str(),
            last_name: contact.last_name.as_str(),
            email: contact.email.as_str(),
            avatar_url: contact.avatar_url.as_ref().map(AvatarUrl::as_str),
            supervisor_id: None,
            created_at: contact.created_at.to_seconds_text(),
            updated_at: contact.updated_at.to_seconds_text(),
        }
    }
}

/// A contact with its values.
#[derive(Serialize, ToSchema)]
#[schema(as = ContactDetail)]
pub(crate) struct ContactDetailJson<'a> {
    #[serde(flatten)]
    contact: ContactJson<'a>,
    field_values: Vec<FieldValueJson<'a>>,
}

impl<'a> From<&'a ContactDetail> for ContactDetailJson<'a> {
    fn from(detail: &'a ContactDetail) -> Self {
        Self {
            contact: ContactJson::from(&detail.contact),
            field_values: field_values_json(detail),
        }
    }
}

/// All that is known of one person.
#[derive(Serialize, ToSchema)]
#[schema(as = Everything)]
pub(crate) struct EverythingJson<'a> {
    contact: ContactDetailJson<'a>,
    /// The oldest one first.
    changes: Vec<ChangeJson<'a>>,
    /// The oldest one first.
    deliveries: Vec<DeliveryJson<'a>>,
    /// What was done to it by whom, the oldest one first.
    audit: Vec<AuditEntryJson<'a>>,
}

impl<'a> EverythingJson<'a> {
    /// Everything that is stored, with the entries of the audit, the newest first.
    pub(crate) fn of(known: &'a Everything, audit: &'a [AuditEntry]) -> Self {
        Self {
            contact: (&known.detail).into(),
            changes: known.changes.iter().map(ChangeJson::from).collect(),
            deliveries: known.deliveries.iter().map(DeliveryJson::from).collect(),
            audit: audit.iter().rev().map(AuditEntryJson::from).collect(),
        }
    }
}

/// The values of a contact, in the order of the fields' creation.
pub(crate) fn field_values_json(detail: &ContactDetail) -> Vec<FieldValueJson<'_>> {
    detail.field_values().into_iter().map(FieldValueJson::from).collect()
}

/// What came of a bulk.
#[derive(Serialize, ToSchema)]
#[schema(as = BulkResult)]
pub(crate) struct BulkResultJson<'a> {
    /// Rows that created or restored a contact.
    created: u64,
    /// Rows that updated a contact, also those that changed nothing.
    updated: u64,
    failed: usize,
    /// One entry for each failed row.
    errors: Vec<FailedRowJson<'a>>,
}

/// A row of a bulk that failed.
#[derive(Serialize, ToSchema)]
#[schema(as = FailedRow)]
struct FailedRowJson<'a> {
    /// The place of the row in the request, from 0.
    index: usize,
    /// As submitted; null when it was no text.
    #[schema(required)]
    email: Option<&'a str>,
    /// Messages by the dotted path of the field, from the row.
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    details: BTreeMap<&'a str, &'a [String]>,
}

impl<'a> From<&'a BulkResult> for BulkResultJson<'a> {
    fn from(result: &'a BulkResult) -> Self {
        Self {
            created: result.created,
            updated: result.updated,
            failed: result.failed.len(),
            errors: result.failed.iter().map(FailedRowJson::from).collect(),
        }
    }
}

impl<'a> From<&'a FailedRow> for FailedRowJson<'a> {
    fn from(row: &'a FailedRow) -> Self {
        let email = row.email.as_deref();
        Self { index: row.index, email, details: row.violations.iter().collect() }
    }
}

/// Decodes a bulk.
pub(crate) fn bulk_draft(body: &Object<'_>) -> BulkDraft {
    BulkDraft { contacts: body.list("contacts", MAX_BULK_UPSERT, row) }
}

fn row(row: &RawValue) -> RowDraft {
    let Some(row) = Object::of(row) else {
        return RowDraft::default();
    };
    let email = match row.input("email") {
        Input::Text(text) => Some(text),
        _ => None,
    };
    RowDraft { email, contact: Some(Box::new(contact_draft(&row))) }
}

/// Decodes the change of a contact.
pub(crate) fn change_draft(body: &Object<'_>) -> ChangeDraft {
    ChangeDraft {
        email: body.input("email"),
        first_name: body.input("first_name"),
        last_name: body.input("last_name"),
        avatar_url: body.input("avatar_url"),
        field_values: body.members("field_values"),
    }
}

/// Decodes a contact.
pub(crate) fn contact_draft(body: &Object<'_>) -> ContactDraft {
    ContactDraft {
        email: body.input("email"),
        first_name: body.input("first_name"),
        last_name: body.input("last_name"),
        avatar_url: body.input("avatar_url"),
        field_values: body.members("field_values"),
    }
}

/// Decodes an erasure.
pub(crate) fn erasure_draft(body: &Object<'_>) -> ErasureDraft {
    ErasureDraft { block: body.input("block") }
}

/// Decodes an email to unblock.
pub(crate) fn unblock_draft(body: &Object<'_>) -> UnblockDraft {
    UnblockDraft { email: body.input("email") }
}
