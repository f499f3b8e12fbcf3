//! The operations on fields, and their types.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Call, ContactHub, Method, Value};

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FieldType {
    /// A text.
    String,
    /// A number.
    Number,
    /// A day.
    Date,
    /// A moment.
    Datetime,
    /// True or false.
    Boolean,
    /// A type that this version of the client does not know.
    #[serde(untagged)]
    Other(String),
}

/// Whether contacts can be filtered and sorted by a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Filterable {
    /// They cannot.
    No,
    /// They will be able to, once its values are indexed.
    Building,
    /// They can.
    Yes,
    /// A state that this version of the client does not know.
    #[serde(untagged)]
    Other(String),
}

/// A custom field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Field {
    /// Its id.
    pub id: String,
    /// The key under which contacts have its values.
    pub key: String,
    /// The name for people.
    pub name: String,
    /// The type of its values.
    pub r#type: FieldType,
    /// The directory that has the field.
    pub directory_id: String,
    /// Whether contacts can be filtered and sorted by it.
    pub filterable: Filterable,
    /// Whether it takes no new values.
    pub archived: bool,
}

/// A field to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NewField {
    /// The name, from which the service derives the key.
    pub name: String,
    /// The type of its values.
    pub r#type: FieldType,
    /// Whether contacts can be filtered and sorted by it.
    pub filterable: bool,
}

impl NewField {
    /// A field by which contacts cannot be filtered.
    pub fn new(name: impl Into<String>, r#type: FieldType) -> Self {
        Self { name: name.into(), r#type, filterable: false }
    }
}

/// A change of a field. `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// Another name. The key stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether contacts can be filtered and sorted by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filterable: Option<bool>,
    /// Whether it takes no new values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
}

/// The value of a field for one contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FieldValue {
    /// The id of the field.
    pub field_id: String,
    /// The key of the field.
    pub key: String,
    /// The name of the field.
    pub name: String,
    /// The type of the field.
    pub r#type: FieldType,
    /// The value.
    pub value: Value,
}

/// The place of a page in a list that is read by page numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PageMeta {
    /// The number of the page, from 1.
    pub current_page: u64,
    /// How many items a page has.
    pub per_page: u64,
    /// How many items there are.
    pub total: u64,
    /// The number of the last page.
    pub last_page: u64,
    /// The place of the first item in the whole list, from 1; 0 when the page is empty.
    pub from: u64,
    /// The place of the last item; 0 when the page is empty.
    pub to: u64,
}

#[derive(Serialize)]
struct FieldValuesInput<'a> {
    field_values: &'a BTreeMap<String, Value>,
}

impl ContactHub {
    /// Lists the fields of the company in the order of their creation.
    pub fn list_fields(&self) -> Call<Vec<Field>> {
        self.fields(Method::Get, &[])
    }

    /// Creates a field.
    pub fn create_field(&self, field: &NewField) -> Call<Field> {
        self.fields(Method::Post, &[]).body(field)
    }

    /// Changes a field.
    pub fn change_field(&self, id: &str, change: &FieldChange) -> Call<Field> {
        self.fields(Method::Patch, &[id]).body(change)
    }

    /// Lists the distinct values of a field, one page of 25. `query("page[number]", "2")` and `query("page[size]", "100")`
    /// choose another page.
    pub fn list_field_values(&self, id: &str) -> Call<Vec<Value>, PageMeta> {
        self.fields(Method::Get, &[id, "values"])
    }

    /// Reads the values of a contact.
    pub fn read_field_values(&self, contact_id: &str) -> Call<Vec<FieldValue>> {
        self.contact_path(Method::Get, &[contact_id, "field-values"])
    }

    /// Replaces the values of a contact. A value that is not given is removed.
    pub fn replace_field_values(
        &self,
        contact_id: &str,
        field_values: &BTreeMap<String, Value>,
    ) -> Call<Vec<FieldValue>> {
        self.contact_path(Method::Put, &[contact_id, "field-values"])
            .body(&FieldValuesInput { field_values })
    }

    fn fields<D, M>(&self, method: Method, rest: &[&str]) -> Call<D, M> {
        let path = ["api", "public", "v1", "fields"];
        self.call(method, path.into_iter().chain(rest.iter().copied()))
    }
}
