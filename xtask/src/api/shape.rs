//! A schema as it is compared: references are followed, and the parts of `allOf` are one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A document or a part of it that a reference names.
pub(super) fn resolve<'a>(document: &'a Value, value: &'a Value) -> (Option<&'a str>, &'a Value) {
    let Some(reference) = value.get("$ref").and_then(Value::as_str) else { return (None, value) };
    let target = document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null);
    (reference.rsplit('/').next(), target)
}

/// A schema with the parts that apply together.
pub(super) struct Shape<'a> {
    parts: Vec<&'a Value>,
}

impl<'a> Shape<'a> {
    pub(super) fn of(document: &'a Value, schema: &'a Value) -> Self {
        let mut parts = Vec::new();
        add(document, schema, &mut parts, 0);
        Self { parts }
    }

    /// The first value of a keyword.
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.parts.iter().find_map(|part| part.get(keyword))
    }

    pub(super) fn text(&self, keyword: &str) -> Option<&'a str> {
        self.get(keyword).and_then(Value::as_str)
    }

    pub(super) fn number(&self, keyword: &str) -> Option<f64> {
        self.get(keyword).and_then(Value::as_f64)
    }

    /// The types, `None` for any.
    pub(super) fn types(&self) -> Option<BTreeSet<&'a str>> {
        match self.get("type")? {
            Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
            name => Some(name.as_str().into_iter().collect()),
        }
    }

    /// The only values, `None` for any.
    pub(super) fn values(&self) -> Option<Vec<&'a Value>> {
        let only = self.get("const").map(|value| vec![value]);
        only.or_else(|| Some(self.get("enum")?.as_array()?.iter().collect()))
    }

    pub(super) fn properties(&self) -> BTreeMap<&'a str, &'a Value> {
        let all = self.parts.iter().filter_map(|part| part.get("properties")?.as_object());
        all.flatten().map(|(name, schema)| (name.as_str(), schema)).collect()
    }

    pub(super) fn required(&self) -> BTreeSet<&'a str> {
        let all = self.parts.iter().filter_map(|part| part.get("required")?.as_array());
        all.flatten().filter_map(Value::as_str).collect()
    }

    /// The schemas of a choice.
    pub(super) fn choices(&self) -> Vec<&'a Value> {
        let all = self.get("oneOf").or_else(|| self.get("anyOf")).and_then(Value::as_array);
        all.into_iter().flatten().collect()
    }
}

/// Deeper than this a schema refers to itself.
const DEPTH: usize = 16;

fn add<'a>(document: &'a Value, schema: &'a Value, parts: &mut Vec<&'a Value>, depth: usize) {
    let (_, schema) = resolve(document, schema);
    parts.push(schema);
    if depth < DEPTH {
        let all = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        all.for_each(|part| add(document, part, parts, depth + 1));
    }
}
