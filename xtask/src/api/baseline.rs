//! The document of the last release, and that of this checkout.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};

use crate::{cargo, process, service};

/// Members that are for people. They may change, and the baseline is easier to review without them.
const PROSE: [&str; 5] = ["description", "summary", "example", "examples", "title"];

/// Members with the document's own names inside, which are always kept.
const NAMES: [&str; 7] =
    ["paths", "webhooks", "properties", "schemas", "responses", "headers", "parameters"];

fn path() -> PathBuf {
    cargo::workspace_root().join(".ci/openapi-baseline.json")
}

/// The baseline.
pub(super) fn read() -> Result<Value> {
    let text = std::fs::read_to_string(path()).context("the baseline cannot be read")?;
    serde_json::from_str(&text).context("the baseline is not JSON")
}

/// The document that the program of this checkout prints.
pub(crate) fn document() -> Result<String> {
    service::build()?;
    process::capture(Command::new(service::built("debug")).arg("openapi"))
}

/// The same, parsed.
pub(super) fn current() -> Result<Value> {
    serde_json::from_str(&document()?).context("the document is not JSON")
}

/// Makes the document of this checkout the baseline.
pub(super) fn renew() -> Result<()> {
    let mut text = serde_json::to_string_pretty(&without_prose(current()?, false))?;
    text.push('\n');
    std::fs::write(path(), text).context("the baseline cannot be written")
}

fn without_prose(value: Value, are_names: bool) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members
                .into_iter()
                .filter(|(name, _)| are_names || !PROSE.contains(&name.as_str()))
                .map(|(name, value)| {
                    let inside = !are_names && NAMES.contains(&name.as_str());
                    let value = without_prose(value, inside);
                    (name, value)
                });
            Value::Object(kept.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.into_iter().map(|item| without_prose(item, false)).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::without_prose;

    #[test]
    fn prose_is_left_out_and_members_of_the_same_name_are_not() {
        let document = json!({"info": {"title": "T", "version": "1"}, "components": {"schemas": {
            "title": {"description": "D", "properties": {"title": {"type": "string", "example": "x"}}},
        }}});
        let expected = json!({"info": {"version": "1"}, "components": {"schemas": {
            "title": {"properties": {"title": {"type": "string"}}},
        }}});
        assert_eq!(without_prose(document, false), expected);
    }
}
