//! Contacts whose parts show which call wrote them, and their expected state.

use serde_json::{Value, json};

/// The field that holds text, and its key.
pub(super) const TAG: (&str, &str) = ("Tag", "tag");

/// The field that holds a number, and its key.
pub(super) const SIZE: (&str, &str) = ("Size", "size");

/// The versions of a contact's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The version of its name.
    pub(super) name: u64,
    /// The version of its values, which are written together.
    pub(super) value: u64,
}

/// The expected state of a contact; `None` when it must not exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    /// The state is known.
    Certain(Option<Seen>),
    /// The state before or after a call, the same for all contacts of that call.
    Either {
        /// The state before the call.
        before: Option<Seen>,
        /// The state after it.
        after: Option<Seen>,
        /// The number of the call.
        call: u64,
    },
}

/// A contact that a writer created.
#[derive(Clone, Debug)]
pub(super) struct Person {
    /// Its address.
    pub(super) email: String,
    /// Its id, once an answer contained it.
    pub(super) id: Option<String>,
    /// Its expected state.
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

/// The versions of a contact in an answer with its values; `None` when its values are of different calls.
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

/// The number after the letter.
fn version(text: &Value) -> Option<u64> {
    text.as_str()?.strip_prefix('V')?.parse().ok()
}
