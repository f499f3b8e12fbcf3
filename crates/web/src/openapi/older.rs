//! The document as OpenAPI 3.0, for the generators that do not read 3.1.
//!
//! What 3.0 cannot express is left out or written in its own way. Every value that the document in 3.1 allows is still
//! allowed. Webhooks become the extension `x-webhooks`.

use serde_json::{Map, Value, json};

use super::older_schema::schema;

/// The version of the document that is made here.
const VERSION: &str = "3.0.3";

/// Rewrites a document of version 3.1.
pub(crate) fn older(mut document: Value) -> Value {
    if let Value::Object(members) = &mut document {
        members.insert("openapi".to_owned(), json!(VERSION));
        members.remove("jsonSchemaDialect");
        if let Some(license) = members.get_mut("info").and_then(|info| info.get_mut("license")) {
            license.as_object_mut().map(|license| license.remove("identifier"));
        }
        if let Some(webhooks) = members.remove("webhooks") {
            members.insert("x-webhooks".to_owned(), webhooks);
        }
    }
    part(document)
}

/// A part of the document that is no schema. Schemas are under `schema`, and as components under `schemas`; examples
/// are values, regardless of the names of their members.
fn part(value: Value) -> Value {
    match value {
        // Beside a reference 3.1 allows a description, 3.0 nothing.
        Value::Object(mut members) => match members.remove("$ref") {
            Some(reference) => json!({ "$ref": reference }),
            None => Value::Object(members.into_iter().map(member).collect()),
        },
        Value::Array(items) => items.into_iter().map(part).collect(),
        other => other,
    }
}

fn member((name, value): (String, Value)) -> (String, Value) {
    let value = match (name.as_str(), value) {
        ("schema", value) => schema(value),
        ("schemas", Value::Object(by_name)) => each(by_name),
        ("example" | "examples", value) => value,
        (_, value) => part(value),
    };
    (name, value)
}

fn each(by_name: Map<String, Value>) -> Value {
    by_name.into_iter().map(|(name, value)| (name, schema(value))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::older;

    #[test]
    fn everything_around_the_schemas_is_converted() {
        let document = json!({
            "openapi": "3.1.0",
            "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
            "info": {"title": "T", "version": "1", "license": {"name": "MIT", "identifier": "MIT"}},
            "paths": {"/a": {"get": {
                "parameters": [{"name": "q", "in": "query", "schema": {"const": "x"}}],
                "responses": {"200": {
                    "description": "Done",
                    "headers": {"ETag": {"$ref": "#/components/headers/ETag", "description": "New"}},
                    "content": {"application/json": {
                        "schema": {"type": ["string", "null"]},
                        "example": {"schema": {"const": 1}},
                        "examples": {"one": {"value": {"const": 1}}},
                    }},
                }},
            }}},
            "webhooks": {"happened": {"post": {"parameters": [{"schema": {"const": "y"}}]}}},
            "components": {"schemas": {"const": {"const": "z"}}},
        });
        let expected = json!({
            "openapi": "3.0.3",
            "info": {"title": "T", "version": "1", "license": {"name": "MIT"}},
            "paths": {"/a": {"get": {
                "parameters": [{"name": "q", "in": "query", "schema": {"enum": ["x"]}}],
                "responses": {"200": {
                    "description": "Done",
                    "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
                    "content": {"application/json": {
                        "schema": {"type": "string", "nullable": true},
                        "example": {"schema": {"const": 1}},
                        "examples": {"one": {"value": {"const": 1}}},
                    }},
                }},
            }}},
            "x-webhooks": {"happened": {"post": {"parameters": [{"schema": {"enum": ["y"]}}]}}},
            "components": {"schemas": {"const": {"enum": ["z"]}}},
        });
        assert_eq!(older(document), expected);
    }
}
