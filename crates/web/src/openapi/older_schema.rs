//! A schema of OpenAPI 3.1, which is JSON Schema 2020-12, as a schema of 3.0.

use serde_json::{Map, Value, json};

/// The members of a schema in 3.0. Other members of 3.1 only narrow what is valid, and are left out.
const KNOWN: [&str; 34] = [
    "$ref",
    "title",
    "description",
    "type",
    "format",
    "nullable",
    "enum",
    "default",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "discriminator",
    "multipleOf",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
];

/// The members that concern only values of one type.
const OF_TYPES: [(&str, &[&str]); 5] = [
    ("string", &["format", "minLength", "maxLength", "pattern"]),
    ("number", NUMERIC),
    ("integer", NUMERIC),
    ("array", &["items", "minItems", "maxItems", "uniqueItems"]),
    (
        "object",
        &["properties", "required", "additionalProperties", "minProperties", "maxProperties"],
    ),
];

const NUMERIC: &[&str] =
    &["multipleOf", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];

/// Rewrites a schema with all those inside.
pub(super) fn schema(value: Value) -> Value {
    match value {
        Value::Bool(true) => json!({}),
        Value::Bool(false) => json!({"not": {}}),
        Value::Object(members) => object(members),
        other => other,
    }
}

fn object(mut members: Map<String, Value>) -> Value {
    only_value(&mut members);
    first_example(&mut members);
    bound(&mut members, "minimum", "exclusiveMinimum", |limit, other| limit >= other);
    bound(&mut members, "maximum", "exclusiveMaximum", |limit, other| limit <= other);
    // These restrict members and items that the keywords left out do not describe.
    if members.contains_key("patternProperties") {
        members.remove("additionalProperties");
    }
    if members.contains_key("prefixItems") {
        members.remove("items");
    }
    let known = members.into_iter().filter(|(name, _)| KNOWN.contains(&name.as_str()));
    let mut members: Map<String, Value> = known.map(nested).collect();
    no_null_choice(&mut members);
    types(&mut members);
    if members.get("type").is_some_and(|kind| kind == "array") {
        members.entry("items").or_insert_with(|| json!({}));
    }
    reference(members)
}

/// The schemas inside.
fn nested((name, value): (String, Value)) -> (String, Value) {
    let value = match (name.as_str(), value) {
        ("properties", Value::Object(by_name)) => {
            by_name.into_iter().map(|(name, value)| (name, schema(value))).collect()
        }
        ("items" | "not", value) | ("additionalProperties", value @ Value::Object(_)) => {
            schema(value)
        }
        ("allOf" | "oneOf" | "anyOf", Value::Array(all)) => all
            .into_iter()
            .map(|value| if is_null_alone(&value) { value } else { schema(value) })
            .collect(),
        (_, value) => value,
    };
    (name, value)
}

fn is_null_alone(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

/// `const` is an `enum` of one value.
fn only_value(members: &mut Map<String, Value>) {
    if let Some(value) = members.remove("const") {
        members.insert("enum".to_owned(), json!([value]));
    }
}

/// 3.0 has one example.
fn first_example(members: &mut Map<String, Value>) {
    if let Some(Value::Array(examples)) = members.remove("examples")
        && let Some(first) = examples.into_iter().next()
    {
        members.entry("example").or_insert(first);
    }
}

/// An exclusive limit is a flag beside the limit. Of two limits the narrower one is kept.
fn bound(
    members: &mut Map<String, Value>,
    limit: &str,
    exclusive: &str,
    is_narrower: fn(f64, f64) -> bool,
) {
    let Some(at) = members.get(exclusive).and_then(Value::as_f64) else { return };
    let Some(value) = members.remove(exclusive) else { return };
    let other = members.get(limit).and_then(Value::as_f64);
    if other.is_none_or(|other| is_narrower(at, other)) {
        members.insert(limit.to_owned(), value);
        members.insert(exclusive.to_owned(), json!(true));
    }
}

/// A choice that includes null is a nullable choice of the others.
fn no_null_choice(members: &mut Map<String, Value>) {
    for name in ["oneOf", "anyOf"] {
        let Some(Value::Array(mut choices)) = members.remove(name) else { continue };
        let all = choices.len();
        choices.retain(|choice| !is_null_alone(choice));
        if choices.len() < all {
            members.insert("nullable".to_owned(), json!(true));
        }
        if choices.len() == 1 && all > 1 {
            let all = members.entry("allOf").or_insert_with(|| json!([]));
            if let Value::Array(all) = all {
                all.append(&mut choices);
            }
        } else {
            members.insert(name.to_owned(), choices.into());
        }
    }
}

/// A list of types is one type, nullable, or a choice of schemas with one type each.
fn types(members: &mut Map<String, Value>) {
    let kinds = match members.remove("type") {
        Some(Value::Array(kinds)) => kinds,
        Some(kind) => vec![kind],
        None => return,
    };
    let (nulls, mut kinds): (Vec<_>, Vec<_>) = kinds.into_iter().partition(|kind| kind == "null");
    let is_nullable = !nulls.is_empty();
    if kinds.is_empty() {
        members.extend(null());
        return;
    }
    if kinds.len() == 1 {
        members.extend(kinds.pop().map(|kind| ("type".to_owned(), kind)));
        if is_nullable {
            members.insert("nullable".to_owned(), json!(true));
        }
        return;
    }
    let choices: Vec<Value> = kinds.iter().map(|kind| choice(kind, is_nullable, members)).collect();
    for (_, own) in OF_TYPES {
        for name in own {
            members.remove(*name);
        }
    }
    members.insert("anyOf".to_owned(), choices.into());
}

/// The values of one type.
fn choice(kind: &Value, is_nullable: bool, members: &Map<String, Value>) -> Value {
    let mut choice = Map::new();
    choice.insert("type".to_owned(), kind.clone());
    if is_nullable {
        choice.insert("nullable".to_owned(), json!(true));
    }
    let own = OF_TYPES.iter().filter(|(name, _)| kind == name).flat_map(|(_, own)| own.iter());
    choice.extend(own.filter_map(|name| Some(((*name).to_owned(), members.get(*name)?.clone()))));
    choice.into()
}

/// 3.0 has no type for null alone.
fn null() -> [(String, Value); 3] {
    [("type", json!("string")), ("nullable", json!(true)), ("enum", json!([null]))]
        .map(|(name, value)| (name.to_owned(), value))
}

/// 3.0 ignores members beside a reference.
fn reference(mut members: Map<String, Value>) -> Value {
    if members.len() > 1
        && let Some(reference) = members.remove("$ref")
    {
        let referred = json!({ "$ref": reference });
        match members.get_mut("allOf") {
            Some(Value::Array(all)) => all.insert(0, referred),
            _ => drop(members.insert("allOf".to_owned(), json!([referred]))),
        }
    }
    members.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::schema;

    #[test]
    fn null_becomes_a_flag() {
        let cases = [
            (
                json!({"type": ["string", "null"], "maxLength": 3}),
                json!({"type": "string", "maxLength": 3, "nullable": true}),
            ),
            (json!({"type": ["integer"]}), json!({"type": "integer"})),
            (json!({"type": "null"}), json!({"type": "string", "nullable": true, "enum": [null]})),
            (
                json!({"oneOf": [{"type": "null"}, {"$ref": "#/x"}], "description": "D"}),
                json!({"description": "D", "nullable": true, "allOf": [{"$ref": "#/x"}]}),
            ),
            (
                json!({"anyOf": [{"$ref": "#/x"}, {"type": "null"}, {"const": 1}]}),
                json!({"nullable": true, "anyOf": [{"$ref": "#/x"}, {"enum": [1]}]}),
            ),
            (json!({"oneOf": [{"$ref": "#/x"}]}), json!({"oneOf": [{"$ref": "#/x"}]})),
        ];
        for (newer, older) in cases {
            assert_eq!(schema(newer.clone()), older, "{newer}");
        }
    }

    #[test]
    fn several_types_become_a_choice_with_the_limits_of_each() {
        let newer = json!({
            "type": ["string", "number", "null"], "maxLength": 5, "minimum": 0, "description": "D",
        });
        let older = json!({"description": "D", "anyOf": [
            {"type": "string", "nullable": true, "maxLength": 5},
            {"type": "number", "nullable": true, "minimum": 0},
        ]});
        assert_eq!(schema(newer), older);
    }

    #[test]
    fn an_exclusive_limit_becomes_a_flag_and_the_narrower_limit_is_kept() {
        let cases = [
            (json!({"exclusiveMinimum": 0}), json!({"minimum": 0, "exclusiveMinimum": true})),
            (
                json!({"minimum": 0, "exclusiveMinimum": 0}),
                json!({"minimum": 0, "exclusiveMinimum": true}),
            ),
            (json!({"minimum": 5, "exclusiveMinimum": 0}), json!({"minimum": 5})),
            (
                json!({"maximum": 9, "exclusiveMaximum": 5}),
                json!({"maximum": 5, "exclusiveMaximum": true}),
            ),
            (json!({"maximum": 4, "exclusiveMaximum": 5}), json!({"maximum": 4})),
        ];
        for (newer, older) in cases {
            assert_eq!(schema(newer.clone()), older, "{newer}");
        }
    }

    #[test]
    fn keywords_of_3_1_are_rewritten_or_omitted() {
        let cases = [
            (json!({"const": null}), json!({"enum": [null]})),
            (json!({"examples": ["a", "b"]}), json!({"example": "a"})),
            (json!({"examples": []}), json!({})),
            (json!({"type": "array"}), json!({"type": "array", "items": {}})),
            (json!({"propertyNames": {"maxLength": 3}}), json!({})),
            (json!({"patternProperties": {"^a": {}}, "additionalProperties": false}), json!({})),
            (
                json!({"type": "array", "prefixItems": [{}], "items": false}),
                json!({"type": "array", "items": {}}),
            ),
            (json!({"additionalProperties": false}), json!({"additionalProperties": false})),
            (json!(true), json!({})),
            (json!({"items": false}), json!({"items": {"not": {}}})),
        ];
        for (newer, older) in cases {
            assert_eq!(schema(newer.clone()), older, "{newer}");
        }
    }

    #[test]
    fn a_reference_with_a_description_becomes_an_all_of() {
        let newer = json!({"$ref": "#/x", "description": "D"});
        assert_eq!(schema(newer), json!({"description": "D", "allOf": [{"$ref": "#/x"}]}));
        let newer = json!({"$ref": "#/x", "allOf": [{"const": 1}]});
        assert_eq!(schema(newer), json!({"allOf": [{"$ref": "#/x"}, {"enum": [1]}]}));
        assert_eq!(schema(json!({"$ref": "#/x"})), json!({"$ref": "#/x"}));
    }

    #[test]
    fn nested_schemas_are_rewritten_and_names_and_values_are_not() {
        let newer = json!({
            "properties": {"const": {"const": 1}, "type": {"type": ["string", "null"]}},
            "additionalProperties": {"const": 2},
            "default": {"const": 3},
            "not": {"const": 4},
        });
        let older = json!({
            "properties": {"const": {"enum": [1]}, "type": {"type": "string", "nullable": true}},
            "additionalProperties": {"enum": [2]},
            "default": {"const": 3},
            "not": {"enum": [4]},
        });
        assert_eq!(schema(newer), older);
    }
}
