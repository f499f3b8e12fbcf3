//! Contacts and fields as JSON documents.

use std::collections::BTreeMap;

use contact_hub_domain::contacts::{AvatarUrl, Contact, Existing, PersonName};
use contact_hub_domain::email::Email;
use contact_hub_domain::fields::{Field, FieldKey, FieldType, FieldValue, Filterable};
use contact_hub_domain::ids::{ContactId, DirectoryId, FieldId};
use contact_hub_domain::input::Input;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::row_store::Stored;
use contact_hub_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A contact without its id. Moments are in microseconds since 1970.
#[derive(Deserialize, Serialize)]
pub(crate) struct ContactDocument {
    email: String,
    first_name: String,
    last_name: String,
    avatar_url: Option<String>,
    field_values: BTreeMap<String, ValueDocument>,
    created_at: i64,
    updated_at: i64,
    is_deleted: bool,
}

/// A value with its type. Numbers are texts, which keep every digit.
#[derive(Deserialize, Serialize)]
struct ValueDocument {
    r#type: String,
    value: String,
}

impl ContactDocument {
    /// The document of a contact.
    pub(crate) fn of(row: &Existing) -> Self {
        let contact = &row.contact;
        let values = contact.field_values.iter();
        let values = values.map(|(key, value)| (key.as_str().to_owned(), ValueDocument::of(value)));
        Self {
            email: contact.email.as_str().to_owned(),
            first_name: contact.first_name.as_str().to_owned(),
            last_name: contact.last_name.as_str().to_owned(),
            avatar_url: contact.avatar_url.as_ref().map(|url| url.as_str().to_owned()),
            field_values: values.collect(),
            created_at: contact.created_at.micros(),
            updated_at: contact.updated_at.micros(),
            is_deleted: row.is_deleted,
        }
    }

    /// The contact of a document.
    pub(crate) fn read(id: ContactId, bytes: &[u8]) -> Stored<Existing> {
        let document: Self =
            serde_json::from_slice(bytes).map_err(|_malformed| corrupt("contact"))?;
        let values = document.field_values.into_iter();
        let values = values.map(|(key, value)| Ok((FieldKey::from_stored(key), value.read()?)));
        let contact = Contact {
            id,
            email: Email::from_stored(document.email),
            first_name: PersonName::from_stored(document.first_name),
            last_name: PersonName::from_stored(document.last_name),
            avatar_url: document.avatar_url.map(AvatarUrl::from_stored),
            field_values: values.collect::<Stored<_>>()?,
            created_at: moment(document.created_at)?,
            updated_at: moment(document.updated_at)?,
        };
        Ok(Existing { contact, is_deleted: document.is_deleted })
    }

    /// Its bytes.
    pub(crate) fn to_bytes(&self) -> Stored<Vec<u8>> {
        serde_json::to_vec(self).map_err(|error| StoreError::Failed(Box::new(error)))
    }
}

impl ValueDocument {
    fn of(value: &FieldValue) -> Self {
        let text = match value.shown() {
            Input::Text(text) | Input::Number(text) => text,
            other => other.to_json(),
        };
        Self { r#type: value.kind().as_str().to_owned(), value: text }
    }

    fn read(self) -> Stored<FieldValue> {
        let kind = FieldType::parse(&self.r#type).ok_or_else(|| corrupt("type"))?;
        let stored = match kind {
            FieldType::Number => Input::Number(self.value),
            FieldType::Boolean => Input::Bool(self.value == "true"),
            _ => Input::Text(self.value),
        };
        FieldValue::from_stored(kind, stored).ok_or_else(|| corrupt("value"))
    }
}

/// A field.
#[derive(Deserialize, Serialize)]
pub(crate) struct FieldDocument {
    id: Uuid,
    key: String,
    name: String,
    r#type: String,
    directory_id: Uuid,
    archived: bool,
    filterable: bool,
}

impl FieldDocument {
    /// The document of a field.
    pub(crate) fn of(field: &Field) -> Self {
        Self {
            id: field.id.uuid(),
            key: field.key.as_str().to_owned(),
            name: field.name.clone(),
            r#type: field.kind.as_str().to_owned(),
            directory_id: field.directory_id.uuid(),
            archived: field.archived,
            filterable: field.filterable != Filterable::No,
        }
    }

    /// The field of a document.
    pub(crate) fn read(bytes: &[u8]) -> Stored<Field> {
        let document: Self =
            serde_json::from_slice(bytes).map_err(|_malformed| corrupt("field"))?;
        Ok(Field {
            id: FieldId::new(document.id),
            key: FieldKey::from_stored(document.key),
            name: document.name,
            kind: FieldType::parse(&document.r#type).ok_or_else(|| corrupt("type"))?,
            directory_id: DirectoryId::new(document.directory_id),
            archived: document.archived,
            filterable: if document.filterable { Filterable::Yes } else { Filterable::No },
        })
    }

    /// Its bytes.
    pub(crate) fn to_bytes(&self) -> Stored<Vec<u8>> {
        serde_json::to_vec(self).map_err(|error| StoreError::Failed(Box::new(error)))
    }
}

fn moment(micros: i64) -> Stored<Timestamp> {
    Timestamp::from_micros(micros).ok_or_else(|| corrupt("moment"))
}

fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt(format!("the {what} of a document cannot be read"))
}
