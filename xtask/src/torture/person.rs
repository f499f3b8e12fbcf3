//! Contacts whose every part tells which call wrote it, and what each has to be.

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

/// What a contact has to be; `None` stands where it is absent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    /// It is known.
    Certain(Option<Seen>),
    /// It is as before a call or as after it, like all others of the same call.
    Either {
        /// As before the call.
        before: Option<Seen>,
        /// As after it.
        after: Option<Seen>,
        /// The call, among those of the writer.
        call: u64,
    },
}

/// A contact that a writer made.
#[derive(Clone, Debug)]
pub(super) struct Person {
    /// Its address.
    pub(super) email: String,
    /// Its id, once an answer told it.
    pub(super) id: Option<String>,
    /// What it has to be.
    pub(super) state: State,
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
