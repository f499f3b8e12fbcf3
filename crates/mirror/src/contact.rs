//! A contact as the hub writes it.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A contact with its values, in an answer or a line of an export.
#[derive(Deserialize)]
pub(crate) struct Contact {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) avatar_url: Option<String>,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
    /// The values by the keys of their fields, as a JSON object.
    #[serde(deserialize_with = "by_key")]
    pub(crate) field_values: String,
    /// Where an export continues after this line.
    #[serde(rename = "_cursor", default)]
    pub(crate) cursor: String,
}

#[derive(Deserialize)]
struct FieldValue {
    key: String,
    /// As it is written: a number keeps all of its digits.
    value: Box<RawValue>,
}

/// Keys never change, unlike the names of fields.
fn by_key<'de, D: Deserializer<'de>>(values: D) -> Result<String, D::Error> {
    let values = Vec::<FieldValue>::deserialize(values)?;
    let values = values.iter().map(|entry| (&entry.key, &entry.value));
    serde_json::to_string(&values.collect::<BTreeMap<_, _>>()).map_err(D::Error::custom)
}
