//! A contact's values as one JSON document, from key to value. Each value is spelled as it was sent.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

use contact_hub_domain::fields::{Directory, Field, FieldValue, FieldValues};
use contact_hub_domain::ids::CompanyId;

use crate::Storage;
use crate::columns::{JsonValue, separate};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::fields::load_directory;

/// Writes the document.
pub(super) fn encode(values: &FieldValues) -> JsonValue {
    let mut document = String::from("{");
    for (key, value) in values {
        separate(&mut document);
        // A key has only letters, marks and numbers, of which JSON escapes none.
        document.extend(["\"", key.as_str(), "\":"]);
        value.write_json(&mut document);
    }
    document.push('}');
    JsonValue(document)
}

/// A key in a document. It is copied only when it is written with escapes.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// The values that a document has of these fields.
pub(crate) fn values_of<'f>(
    document: &JsonValue,
    fields: &'f [Field],
) -> Result<Vec<(&'f Field, FieldValue)>, Failure> {
    let corrupt = || Failure::Corrupt("contacts.field_values".to_owned());
    let members: BTreeMap<Key<'_>, &RawValue> =
        serde_json::from_str(&document.0).map_err(|_not_json| corrupt())?;
    let values = fields.iter().filter_map(|field| {
        let raw = members.get(&Key(Cow::Borrowed(field.key.as_str())))?;
        let value = FieldValue::from_stored_json(field.kind, raw.get()).ok_or_else(corrupt);
        Some(value.map(|value| (field, value)))
    });
    values.collect()
}

/// Reads documents of one company.
pub(super) struct Decoder<'a> {
    pub(super) storage: &'a Storage,
    company: CompanyId,
    directory: Option<Arc<Directory>>,
    /// The statements may see the database as it was at this moment; without one, as it is.
    since: Option<Instant>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(storage: &'a Storage, company: CompanyId) -> Self {
        let directory = storage.directories().ever_known(company);
        Self { storage, company, directory, since: None }
    }

    /// The same for a call that began at this moment and whose snapshot is not older.
    pub(super) fn since(self, began: Instant) -> Self {
        Self { since: Some(began), ..self }
    }

    /// A decoder that has at least the fields of this directory.
    pub(super) const fn knowing(
        storage: &'a Storage,
        company: CompanyId,
        directory: Arc<Directory>,
    ) -> Self {
        Self { storage, company, directory: Some(directory), since: None }
    }

    /// Decodes a document. If a key is not in the cache, the fields are read once from the database.
    pub(super) fn decode(
        &mut self,
        connection: &mut Connection,
        document: &JsonValue,
    ) -> Result<FieldValues, Failure> {
        let members: BTreeMap<Key<'_>, &RawValue> =
            serde_json::from_str(&document.0).map_err(|_not_json| self.corrupt("is no object"))?;
        if members.is_empty() {
            return Ok(FieldValues::new());
        }
        let known =
            |directory: &Directory| members.keys().all(|key| directory.find(&key.0).is_some());
        let directory = match self.directory.take().filter(|directory| known(directory)) {
            Some(directory) => directory,
            None => self.reload(connection)?,
        };
        let values = members.iter().map(|(key, raw)| {
            let field = directory.find(&key.0).ok_or_else(|| self.corrupt("has an unknown key"))?;
            let value = FieldValue::from_stored_json(field.kind, raw.get())
                .ok_or_else(|| self.corrupt("has a value that is not of its field's type"))?;
            Ok((field.key.clone(), value))
        });
        let values = values.collect();
        self.directory = Some(directory);
        values
    }

    /// The company's fields, including those that decoding had to look up.
    pub(super) fn directory(
        &mut self,
        connection: &mut Connection,
    ) -> Result<Arc<Directory>, Failure> {
        let directory = match self.directory.take() {
            Some(directory) => directory,
            None => self.reload(connection)?,
        };
        self.directory = Some(Arc::clone(&directory));
        Ok(directory)
    }

    fn reload(&self, connection: &mut Connection) -> Result<Arc<Directory>, Failure> {
        let since = self.since.unwrap_or_else(Instant::now);
        load_directory(self.storage, connection, self.company, since)
    }

    fn corrupt(&self, what: &str) -> Failure {
        Failure::Corrupt(format!("contacts.field_values in company {} {what}", self.company))
    }
}
