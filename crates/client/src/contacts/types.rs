//! Contacts as the interface returns and accepts them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{FieldValue, Value};

/// A contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Contact {
    /// Its id.
    pub id: String,
    /// Its email, unique among the contacts of the company.
    pub email: String,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The address of a picture.
    pub avatar_url: Option<String>,
    /// The service always returns `None`.
    pub supervisor_id: Option<String>,
    /// When it was created, in RFC 3339.
    pub created_at: String,
    /// When it was last changed, in RFC 3339.
    pub updated_at: String,
    /// Its field values. `None` in a list, unless they are asked for, and in the answer of a create.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_values: Option<Vec<FieldValue>>,
}

impl Contact {
    /// The value of a field, by the key of the field.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&Value> {
        let values = self.field_values.iter().flatten();
        values.into_iter().find(|it| it.key == key).map(|it| &it.value)
    }
}

/// A contact to create, or a row of a bulk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NewContact {
    /// Its email.
    pub email: String,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The address of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar_url: Option<String>,
    /// Its values by the key of the field, each of the field's type. `None` removes a value in a bulk.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub field_values: BTreeMap<String, Option<Value>>,
}

impl NewContact {
    /// A contact without a picture and without values.
    pub fn new(
        email: impl Into<String>,
        first_name: impl Into<String>,
        last_name: impl Into<String>,
    ) -> Self {
        Self {
            email: email.into(),
            first_name: first_name.into(),
            last_name: last_name.into(),
            avatar_url: None,
            field_values: BTreeMap::new(),
        }
    }

    /// Sets the value of a field, by the key of the field.
    #[must_use]
    pub fn with_value(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.field_values.insert(key.into(), Some(value.into()));
        self
    }
}

/// A change of a contact. `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContactChange {
    /// Another email.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Another first name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    /// Another last name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// Another picture. `Some(None)` removes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar_url: Option<Option<String>>,
    /// Values by the key of the field, merged into those of the contact. `None` removes one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub field_values: BTreeMap<String, Option<Value>>,
}

/// The metadata of a page of contacts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CursorMeta {
    /// How many contacts a page has at most.
    pub per_page: u32,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<String>,
}

/// What a look-up did not find.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LookupMeta {
    /// The ids or emails, as they were given.
    pub missing: Vec<String>,
}

/// The result of a bulk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct UpsertResult {
    /// How many rows created or restored a contact.
    pub created: u64,
    /// How many rows updated a contact.
    pub updated: u64,
    /// How many rows failed.
    pub failed: u64,
    /// One entry for each row that failed.
    pub errors: Vec<FailedRow>,
}

/// A row of a bulk that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FailedRow {
    /// The place of the row in the request, from 0.
    pub index: usize,
    /// The email as it was sent.
    pub email: Option<String>,
    /// The messages by the dotted path of the field.
    pub details: BTreeMap<String, Vec<String>>,
}

/// The result of a bulk delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Deleted {
    /// How many contacts were deleted.
    pub deleted: u64,
}
