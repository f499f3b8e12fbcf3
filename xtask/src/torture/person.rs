//! Contacts whose every part tells which call wrote it.

use serde_json::{Value, json};

/// The field that holds text, and its key.
pub(super) const TAG: (&str, &str) = ("Tag", "tag");

/// The field that holds a number, and its key.
pub(super) const SIZE: (&str, &str) = ("Size", "size");

/// The versions of a contact's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// That of its name.
    pub(super) name: u64,
    /// That of its values, which are written together.
    pub(super) value: u64,
}

/// A body that creates a contact of this version.
pub(super) fn body(email: &str, version: u64) -> Value {
    json!({
        "email": email,
        "first_name": "Torture",
        "last_name": format!("V{version}"),
        "field_values": values(version),
    })
}

/// The values of this version.
pub(super) fn values(version: u64) -> Value {
    json!({ TAG.1: format!("V{version}"), SIZE.1: version })
}

/// The versions of a contact in an answer with its values; nothing when its values are of different calls.
pub(super) fn seen(answer: &Value) -> Option<Seen> {
    let data = answer.get("data")?;
    let name = version(data.get("last_name")?)?;
    let entries = data.get("field_values")?.as_array()?;
    let value = |key: &str| {
        entries.iter().find(|entry| entry.get("key").is_some_and(|it| it == key))?.get("value")
    };
    let (tag, size) = (version(value(TAG.1)?)?, value(SIZE.1)?.as_u64()?);
    (tag == size && entries.len() == 2).then_some(Seen { name, value: tag })
}

/// The number behind the letter.
fn version(text: &Value) -> Option<u64> {
    text.as_str()?.strip_prefix('V')?.parse().ok()
}
