//! Finds the changes of a document that break clients.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::date::Date;
use super::ending;
use super::schema::{Sender, Versions};
use super::shape::resolve;

/// Every change that breaks a client of the old document, as sentences that begin with the place. Operations that were
/// deprecated and have ended by today may be missing.
pub(super) fn breaks(old: &Value, new: &Value, today: Date) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let versions = Versions { old, new };
    for (kind, part, direction) in [
        ("path", "paths", Direction { request: Sender::Client, answer: Sender::Service }),
        ("webhook", "webhooks", Direction { request: Sender::Service, answer: Sender::Client }),
    ] {
        for (path, old, new) in pairs(old.get(part), new.get(part)) {
            let methods = pairs(Some(old), new);
            let may_go = |old: &Value| ending::has_ended(old, today);
            if new.is_none() && !methods.iter().all(|(_, old, _)| may_go(old)) {
                found.insert(format!("{path}: the {kind} is removed"));
                continue;
            }
            for (method, old, new) in methods {
                let place = format!("{} {path}", method.to_uppercase());
                let Some(new) = new else {
                    if !may_go(old) {
                        found.insert(format!("{place}: the operation is removed"));
                    }
                    continue;
                };
                operation(versions, direction, (old, new), &place, &mut found);
                let end = ending::too_soon(old, new, today);
                found.extend(end.map(|reason| format!("{place}: {reason}")));
            }
        }
    }
    let schemas = "/components/schemas";
    let ended = ending::schemas(old, today);
    for (name, _, new) in pairs(old.pointer(schemas), new.pointer(schemas)) {
        if new.is_none() && !ended.contains(name) {
            found.insert(format!("{name}: the schema is removed or renamed"));
        }
    }
    found
}

/// Who sends which part of an operation.
#[derive(Clone, Copy)]
struct Direction {
    request: Sender,
    answer: Sender,
}

/// The members of the old object, with those of the same names of the new one.
fn pairs<'a>(
    old: Option<&'a Value>,
    new: Option<&'a Value>,
) -> Vec<(&'a str, &'a Value, Option<&'a Value>)> {
    let (old, new) = (members(old), members(new));
    let of_old = old.into_iter().flatten();
    of_old.map(|(name, value)| (name.as_str(), value, new.and_then(|new| new.get(name)))).collect()
}

fn members(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object)
}

fn operation(
    versions: Versions<'_>,
    direction: Direction,
    (old, new): (&Value, &Value),
    place: &str,
    found: &mut BTreeSet<String>,
) {
    for (what, name) in [("the operation's id", "operationId"), ("who may call it", "security")] {
        if old.get(name) != new.get(name) {
            found.insert(format!("{place}: {what} changed"));
        }
    }
    parameters(versions, direction.request, (old, new), place, found);
    body(versions, direction.request, (old, new), place, found);
    for (status, old, new) in pairs(old.get("responses"), new.get("responses")) {
        let place = format!("{place} {status}");
        let Some(new) = new else {
            found.insert(format!("{place}: the response is removed"));
            continue;
        };
        let (old, new) = (resolve(versions.old, old).1, resolve(versions.new, new).1);
        for (header, _, new) in pairs(old.get("headers"), new.get("headers")) {
            if new.is_none() {
                found.insert(format!("{place}: the header {header} is removed"));
            }
        }
        contents(versions, direction.answer, (old, new), &place, found);
    }
}

/// Parameters by their place and name.
fn parameters(
    versions: Versions<'_>,
    sender: Sender,
    (old, new): (&Value, &Value),
    place: &str,
    found: &mut BTreeSet<String>,
) {
    let (old, new) = (named(versions.old, old), named(versions.new, new));
    let is_required = |it: &Value| it.get("required") == Some(&Value::Bool(true));
    for (key, parameter) in &new {
        let was_required = old.iter().any(|(known, it)| known == key && is_required(it));
        if sender == Sender::Client && is_required(parameter) && !was_required {
            found.insert(format!("{place}: the parameter {key} became required"));
        }
    }
    for (key, old) in &old {
        let Some((_, new)) = new.iter().find(|(known, _)| known == key) else {
            found.insert(format!("{place}: the parameter {key} is removed"));
            continue;
        };
        if sender == Sender::Service && is_required(old) && !is_required(new) {
            found.insert(format!("{place}: the parameter {key} is no longer always present"));
        }
        if let (Some(old), Some(new)) = (old.get("schema"), new.get("schema")) {
            versions.schema((old, new), sender, &format!("{place} {key}"), found);
        }
    }
}

fn named<'a>(document: &'a Value, operation: &'a Value) -> Vec<(String, &'a Value)> {
    let all = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    let text = |it: &'a Value, name: &str| it.get(name).and_then(Value::as_str).unwrap_or_default();
    all.map(|parameter| resolve(document, parameter).1)
        .map(|it| (format!("{} ({})", text(it, "name"), text(it, "in")), it))
        .collect()
}

fn body(
    versions: Versions<'_>,
    sender: Sender,
    (old, new): (&Value, &Value),
    place: &str,
    found: &mut BTreeSet<String>,
) {
    let is_required = |it: &Value| it.pointer("/requestBody/required") == Some(&Value::Bool(true));
    if sender == Sender::Client && is_required(new) && !is_required(old) {
        found.insert(format!("{place}: a body became required"));
    }
    if let Some(old) = old.get("requestBody") {
        let new = new.get("requestBody").unwrap_or(&Value::Null);
        contents(versions, sender, (old, new), &format!("{place} body"), found);
    }
}

fn contents(
    versions: Versions<'_>,
    sender: Sender,
    (old, new): (&Value, &Value),
    place: &str,
    found: &mut BTreeSet<String>,
) {
    for (kind, old, new) in pairs(old.get("content"), new.get("content")) {
        let Some(new) = new else {
            found.insert(format!("{place}: the type {kind} is removed"));
            continue;
        };
        if let (Some(old), Some(new)) = (old.get("schema"), new.get("schema")) {
            versions.schema((old, new), sender, place, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Date, breaks};

    fn today() -> Date {
        "2028-07-01".parse().unwrap()
    }

    fn document() -> Value {
        json!({
            "paths": {"/a": {
                "get": {"operationId": "listA", "security": [{"bearer": []}],
                    "parameters": [{"name": "q", "in": "query", "schema": {"type": "string", "maxLength": 9}}],
                    "responses": {
                        "200": {"headers": {"ETag": {}}, "content": {"application/json": {
                            "schema": {"$ref": "#/components/schemas/A"},
                        }}},
                        "404": {"$ref": "#/components/responses/Missing"},
                    }},
                "post": {"operationId": "createA", "requestBody": {"content": {"application/json": {
                    "schema": {"properties": {"name": {"type": "string"}}},
                }}}, "responses": {}},
            }},
            "webhooks": {"happened": {"post": {"operationId": "happened",
                "parameters": [{"name": "sign", "in": "header", "required": true, "schema": {"type": "string"}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},
                "responses": {"2XX": {}},
            }}},
            "components": {
                "schemas": {"A": {"properties": {"id": {"type": "string"}}, "required": ["id"]}},
                "responses": {"Missing": {"content": {"application/json": {}}}},
            },
        })
    }

    /// The document with another value at a place; null removes the member.
    fn changed(place: &str, value: Value) -> Value {
        let mut document = document();
        let (parent, name) = place.rsplit_once('/').unwrap();
        let parent = document.pointer_mut(parent).unwrap();
        let name = name.replace("~1", "/");
        match (parent, value) {
            (Value::Object(members), Value::Null) => drop(members.remove(&name)),
            (Value::Object(members), value) => drop(members.insert(name, value)),
            (Value::Array(items), Value::Null) => drop(items.remove(name.parse().unwrap())),
            (Value::Array(items), value) => items.push(value),
            (other, _) => panic!("{other}"),
        }
        document
    }

    #[expect(clippy::too_many_lines, reason = "one list of every kind of break")]
    #[test]
    fn every_kind_of_break_is_found() {
        let body = "/paths/~1a/post/requestBody";
        let required = json!({"name": "r", "in": "query", "required": true});
        let cases = [
            ("/paths/~1a", json!(null), vec!["/a: the path is removed"]),
            ("/paths/~1a/get", json!(null), vec!["GET /a: the operation is removed"]),
            ("/paths/~1a/get/operationId", json!("x"), vec!["GET /a: the operation's id changed"]),
            ("/paths/~1a/get/security", json!([]), vec!["GET /a: who may call it changed"]),
            (
                "/paths/~1a/get/parameters/0",
                json!(null),
                vec!["GET /a: the parameter q (query) is removed"],
            ),
            (
                "/paths/~1a/get/parameters/-",
                required,
                vec!["GET /a: the parameter r (query) became required"],
            ),
            (
                "/paths/~1a/get/parameters/0/required",
                json!(true),
                vec!["GET /a: the parameter q (query) became required"],
            ),
            (
                "/paths/~1a/get/parameters/0/schema/maxLength",
                json!(8),
                vec!["GET /a q (query): `maxLength` is narrower"],
            ),
            (
                "/paths/~1a/get/responses/404",
                json!(null),
                vec!["GET /a 404: the response is removed"],
            ),
            (
                "/paths/~1a/get/responses/200/headers/ETag",
                json!(null),
                vec!["GET /a 200: the header ETag is removed"],
            ),
            (
                "/components/responses/Missing/content/application~1json",
                json!(null),
                vec!["GET /a 404: the type application/json is removed"],
            ),
            (
                "/paths/~1a/post/requestBody/required",
                json!(true),
                vec!["POST /a: a body became required"],
            ),
            (
                &format!("{body}/content/application~1json"),
                json!(null),
                vec!["POST /a body: the type application/json is removed"],
            ),
            (
                &format!("{body}/content/application~1json/schema/required"),
                json!(["name"]),
                vec!["POST /a body: `name` became required"],
            ),
            (
                "/components/schemas/A/required",
                json!([]),
                vec!["A: `id` is no longer always present"],
            ),
            (
                "/components/schemas/A/properties/id",
                json!(null),
                vec!["A.id: the property is removed"],
            ),
            (
                "/components/schemas/A/properties/id/type",
                json!("integer"),
                vec!["A.id: the type changed from string to integer"],
            ),
            ("/webhooks/happened", json!(null), vec!["happened: the webhook is removed"]),
            (
                "/webhooks/happened/post/parameters/0/required",
                json!(false),
                vec!["POST happened: the parameter sign (header) is no longer always present"],
            ),
        ];
        for (place, value, sentences) in cases {
            let found: Vec<_> =
                breaks(&document(), &changed(place, value), today()).into_iter().collect();
            assert_eq!(found, sentences, "{place}");
        }
    }

    #[test]
    fn what_was_deprecated_may_be_removed_from_its_day_on() {
        let deprecated = |paths: &[&str], sunset: &str| {
            let mut old = document();
            let dates = json!({"since": "2027-01-01", "sunset": sunset});
            for path in paths {
                let operation = old.pointer_mut(path).unwrap();
                operation["deprecated"] = json!(true);
                operation["x-deprecation"] = dates.clone();
            }
            old
        };
        let (get, post) = ("/paths/~1a/get", "/paths/~1a/post");
        let without_get = changed(get, Value::Null);
        let none = Vec::<String>::new();
        let found = |old: &Value, new: &Value| -> Vec<_> {
            breaks(old, new, today()).into_iter().collect()
        };
        assert_eq!(found(&deprecated(&[get], "2028-07-01"), &without_get), none);
        let early = found(&deprecated(&[get], "2028-07-02"), &without_get);
        assert_eq!(early, ["GET /a: the operation is removed"]);
        let without_path = changed("/paths/~1a", Value::Null);
        assert_eq!(found(&deprecated(&[get, post], "2028-07-01"), &without_path), none);
        let half = found(&deprecated(&[get], "2028-07-01"), &without_path);
        assert_eq!(half, ["/a: the path is removed"]);
    }

    #[test]
    fn an_end_that_comes_too_soon_is_found() {
        let mut new = document();
        let dates = json!({"since": "2028-07-01", "sunset": "2028-09-01"});
        new["paths"]["/a"]["get"]["x-deprecation"] = dates;
        let found: Vec<_> = breaks(&document(), &new, today()).into_iter().collect();
        let sentence =
            "GET /a: ends on 2028-09-01; 2029-07-01 is the earliest after its deprecation";
        assert_eq!(found, [sentence]);
    }

    #[test]
    fn additions_break_nothing() {
        let optional = json!({"name": "r", "in": "query"});
        let cases = [
            ("/paths/~1b", json!({"get": {}})),
            ("/paths/~1a/put", json!({})),
            ("/paths/~1a/get/parameters/-", optional),
            ("/paths/~1a/get/parameters/0/schema/maxLength", json!(10)),
            ("/paths/~1a/get/responses/410", json!({})),
            ("/paths/~1a/get/responses/200/headers/More", json!({})),
            ("/components/schemas/A/properties/more", json!({"type": "string"})),
            ("/components/schemas/B", json!({})),
            ("/webhooks/more", json!({})),
            (
                "/paths/~1a/post/requestBody/content/application~1json/schema/properties/more",
                json!({}),
            ),
        ];
        for (place, value) in cases {
            let found = breaks(&document(), &changed(place, value), today());
            assert!(found.is_empty(), "{place}: {found:?}");
        }
    }
}
