//! Validates a value against a schema of the document: supports the keywords that either version uses, and panics on
//! any other.

use serde_json::Value;

/// Keywords without effect on validity, and `propertyNames`, since names are always strings in JSON.
const NOTES: [&str; 7] =
    ["description", "example", "examples", "format", "propertyNames", "default", "nullable"];

/// The violations, as sentences that begin with the location.
pub(super) fn misfits(document: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = document.pointer(reference.trim_start_matches('#')).expect(reference);
        return misfits(document, target, value, place);
    }
    let keywords = schema.as_object().expect("a schema");
    if value.is_null() && schema["nullable"] == true {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (keyword, expected) in keywords {
        let fits = match keyword.as_str() {
            "type" => is_of(expected, value),
            "enum" => expected.as_array().expect("names").contains(value),
            "required" => expected.as_array().expect("names").iter().all(|name| {
                value.as_object().is_none_or(|it| it.contains_key(name.as_str().expect("a name")))
            }),
            "minimum" => value.as_f64().is_none_or(|it| it >= expected.as_f64().expect("a number")),
            "maximum" => value.as_f64().is_none_or(|it| it <= expected.as_f64().expect("a number")),
            "maxLength" => length(value) <= expected.as_u64().expect("a number"),
            "minLength" => {
                !value.is_string() || length(value) >= expected.as_u64().expect("a number")
            }
            "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                count_fits(keyword, expected, value)
            }
            "oneOf" => count_fitting(document, expected, value, place) == 1,
            "anyOf" => count_fitting(document, expected, value, place) > 0,
            "uniqueItems" => all_differ(value),
            "pattern" | "allOf" | "properties" | "items" | "additionalProperties" => true,
            note if NOTES.contains(&note) => true,
            unknown => panic!("{place}: an unknown keyword {unknown}"),
        };
        if !fits {
            found.push(format!("{place}: {value} breaks {keyword} {expected}"));
        }
    }
    found.extend(inner(document, schema, value, place));
    found
}

fn inner(document: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        found.extend(misfits(document, part, value, place));
    }
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        if let Some(items) = schema.get("items") {
            found.extend(misfits(document, items, item, &format!("{place}/{at}")));
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let named = schema["properties"].get(name).or_else(|| schema.get("additionalProperties"));
        if let Some(named) = named {
            found.extend(misfits(document, named, member, &format!("{place}/{name}")));
        }
    }
    found
}

/// Every member that a schema names, including those of its parts.
pub(super) fn members(document: &Value, schema: &Value) -> Vec<String> {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = document.pointer(reference.trim_start_matches('#')).expect(reference);
        return members(document, target);
    }
    let own = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
    let parts =
        ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|it| schema[it].as_array()).flatten();
    own.chain(parts.flat_map(|part| members(document, part))).collect()
}

fn count_fitting(document: &Value, schemas: &Value, value: &Value, place: &str) -> usize {
    let schemas = schemas.as_array().expect("schemas");
    let fits = schemas.iter().filter(|schema| misfits(document, schema, value, place).is_empty());
    fits.count()
}

fn all_differ(value: &Value) -> bool {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    items.iter().enumerate().all(|(at, item)| !items[..at].contains(item))
}

fn is_of(expected: &Value, value: &Value) -> bool {
    let names = expected.as_array().map_or_else(|| vec![expected], |names| names.iter().collect());
    names.into_iter().filter_map(Value::as_str).any(|name| match name {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("an unknown type {other}"),
    })
}

fn length(value: &Value) -> u64 {
    let length = value.as_str().map_or(0, |text| text.chars().count());
    u64::try_from(length).expect("a length")
}

fn count_fits(keyword: &str, expected: &Value, value: &Value) -> bool {
    let count = match value {
        Value::Array(items) if keyword.ends_with("Items") => items.len(),
        Value::Object(members) if keyword.ends_with("Properties") => members.len(),
        _ => return true,
    };
    let bound = usize::try_from(expected.as_u64().expect("a number")).expect("a bound");
    if keyword.starts_with("min") { count >= bound } else { count <= bound }
}
