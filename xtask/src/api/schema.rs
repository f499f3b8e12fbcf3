//! Finds the changes of a schema that break clients.
//!
//! What clients send must still be accepted: nothing may become narrower. What they receive must still be what they
//! expect: nothing may become wider, except that objects may have new properties and that a list of names may have new
//! ones.

use std::collections::BTreeSet;

use serde_json::Value;

use super::shape::{Shape, resolve};

/// Who sends a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    Client,
    Service,
}

/// The two documents.
#[derive(Clone, Copy)]
pub(super) struct Versions<'a> {
    pub(super) old: &'a Value,
    pub(super) new: &'a Value,
}

/// Deeper than this a schema refers to itself.
const DEPTH: usize = 32;

/// The lower and the upper limits.
const LOWER: [&str; 5] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const UPPER: [&str; 5] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

impl Versions<'_> {
    /// Compares two versions of a schema; finds sentences that begin with the place.
    pub(super) fn schema(
        self,
        schemas: (&Value, &Value),
        sender: Sender,
        place: &str,
        found: &mut BTreeSet<String>,
    ) {
        Walk { versions: self, sender, depth: 0 }.compare(schemas, place, found);
    }
}

#[derive(Clone, Copy)]
struct Walk<'a> {
    versions: Versions<'a>,
    sender: Sender,
    depth: usize,
}

impl Walk<'_> {
    fn compare(self, schemas: (&Value, &Value), place: &str, found: &mut BTreeSet<String>) {
        if self.depth > DEPTH {
            return;
        }
        let Versions { old, new } = self.versions;
        // A schema with a name is reported once, and not for each operation that refers to it.
        let (name, _) = resolve(old, schemas.0);
        let place = name.unwrap_or(place);
        let (old, new) = (Shape::of(old, schemas.0), Shape::of(new, schemas.1));
        let mut say = |what: String| {
            found.insert(format!("{place}: {what}"));
        };
        types(&old, &new, self.sender, &mut say);
        match self.sender {
            Sender::Client => narrowed(&old, &new, &mut say),
            Sender::Service => widened(&old, &new, &mut say),
        }
        self.inside(&old, &new, place, found);
        self.choices(&old, &new, place, found);
    }

    /// The schemas of properties, of items and of other members.
    fn inside(self, old: &Shape<'_>, new: &Shape<'_>, place: &str, found: &mut BTreeSet<String>) {
        let deeper = Walk { depth: self.depth + 1, ..self };
        let properties = new.properties();
        for (name, schema) in old.properties() {
            let place = format!("{place}.{name}");
            match properties.get(name) {
                Some(new) => deeper.compare((schema, new), &place, found),
                None => drop(found.insert(format!("{place}: the property is removed"))),
            }
        }
        for (keyword, suffix) in [("items", "[]"), ("additionalProperties", ".*")] {
            if let (Some(old), Some(new)) = (old.get(keyword), new.get(keyword)) {
                deeper.compare((old, new), &format!("{place}{suffix}"), found);
            }
        }
        let is_closed = new.get("additionalProperties") == Some(&Value::Bool(false));
        let was_closed = old.get("additionalProperties") == Some(&Value::Bool(false));
        if self.sender == Sender::Client && is_closed && !was_closed {
            found.insert(format!("{place}: other properties are refused"));
        }
    }

    /// Each choice that the other side may make must be one that this side knows.
    fn choices(self, old: &Shape<'_>, new: &Shape<'_>, place: &str, found: &mut BTreeSet<String>) {
        let (old, new) = (old.choices(), new.choices());
        let deeper = Walk { depth: self.depth + 1, ..self };
        let fits = |old: &Value, new: &Value| {
            let mut found = BTreeSet::new();
            deeper.compare((old, new), place, &mut found);
            found.is_empty()
        };
        let is_broken = match (self.sender, old.is_empty(), new.is_empty()) {
            (_, true, true) | (Sender::Client, _, true) | (Sender::Service, true, _) => false,
            (Sender::Client, true, false) | (Sender::Service, false, true) => true,
            (Sender::Client, ..) => !old.iter().all(|old| new.iter().any(|new| fits(old, new))),
            (Sender::Service, ..) => !new.iter().all(|new| old.iter().any(|old| fits(old, new))),
        };
        if is_broken {
            found.insert(format!("{place}: the choices changed"));
        }
    }
}

fn types(old: &Shape<'_>, new: &Shape<'_>, sender: Sender, say: &mut impl FnMut(String)) {
    let (from, to) = match sender {
        Sender::Client => (old.types(), new.types()),
        Sender::Service => (new.types(), old.types()),
    };
    let takes = |to: &BTreeSet<&str>, kind: &str| {
        to.contains(kind) || (kind == "integer" && to.contains("number"))
    };
    let fits = match (&from, &to) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(from), Some(to)) => from.iter().all(|kind| takes(to, kind)),
    };
    if !fits {
        let name = |shape: &Shape<'_>| match shape.types() {
            Some(names) => names.into_iter().collect::<Vec<_>>().join(" or "),
            None => "any".to_owned(),
        };
        say(format!("the type changed from {} to {}", name(old), name(new)));
    }
}

/// Reports why values that clients send are now refused.
fn narrowed(old: &Shape<'_>, new: &Shape<'_>, say: &mut impl FnMut(String)) {
    for name in new.required().difference(&old.required()) {
        say(format!("`{name}` became required"));
    }
    match (old.values(), new.values()) {
        (None, Some(_)) => say("only some values are accepted".to_owned()),
        (Some(old), Some(new)) => {
            let gone = old.into_iter().filter(|value| !new.contains(value));
            gone.for_each(|value| say(format!("the value {value} is refused")));
        }
        (_, None) => {}
    }
    let limits = LOWER.map(|name| (name, 1.0)).into_iter().chain(UPPER.map(|name| (name, -1.0)));
    for (name, sign) in limits {
        if let Some(limit) = new.number(name)
            && old.number(name).is_none_or(|before| sign * limit > sign * before)
        {
            say(format!("`{name}` is narrower"));
        }
    }
    for name in ["pattern", "format", "multipleOf", "uniqueItems", "propertyNames"] {
        let (before, now) = (old.get(name), new.get(name));
        let is_off = |value: Option<&Value>| value.is_none_or(|value| *value == Value::Bool(false));
        if before != now && !is_off(now) {
            say(format!("`{name}` changed"));
        }
    }
}

/// Reports why values that clients receive are not what they expect.
fn widened(old: &Shape<'_>, new: &Shape<'_>, say: &mut impl FnMut(String)) {
    for name in old.required().difference(&new.required()) {
        say(format!("`{name}` is no longer always present"));
    }
    if old.values().is_some() && new.values().is_none() {
        say("any value may be sent".to_owned());
    }
    if old.text("format").is_some() && old.text("format") != new.text("format") {
        say("`format` changed".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::{Sender, Versions};

    fn found(sender: Sender, old: &Value, new: &Value) -> Vec<String> {
        let document = json!({"components": {"schemas": {
            "Named": {"type": "string"}, "Loop": {"properties": {"next": {"$ref": "#/components/schemas/Loop"}}},
        }}});
        let mut found = BTreeSet::new();
        let versions = Versions { old: &document, new: &document };
        versions.schema((old, new), sender, "it", &mut found);
        found.into_iter().collect()
    }

    #[test]
    fn what_clients_send_may_become_wider_and_not_narrower() {
        let object = |required: &[&str]| json!({"properties": {"a": {"type": "string"}}, "required": required});
        let cases = [
            (
                json!({"type": "string"}),
                json!({"type": ["string", "null"]}),
                "the type changed from null or string to string",
            ),
            (
                json!({"type": "integer"}),
                json!({"type": "number"}),
                "the type changed from number to integer",
            ),
            (json!({"type": "string"}), json!({}), "the type changed from any to string"),
            (json!({"enum": ["a"]}), json!({"enum": ["a", "b"]}), "the value \"b\" is refused"),
            (json!({"const": "a"}), json!({}), "only some values are accepted"),
            (json!({"maxLength": 3}), json!({"maxLength": 4}), "`maxLength` is narrower"),
            (json!({"maxItems": 3}), json!({}), "`maxItems` is narrower"),
            (json!({"minimum": 1}), json!({"minimum": 0}), "`minimum` is narrower"),
            (json!({"pattern": "a"}), json!({}), "`pattern` changed"),
            (json!({"format": "uuid"}), json!({}), "`format` changed"),
            (json!({"uniqueItems": true}), json!({"uniqueItems": false}), "`uniqueItems` changed"),
            (object(&["a"]), object(&[]), "`a` became required"),
            (json!({"additionalProperties": false}), json!({}), "other properties are refused"),
            (
                json!({"oneOf": [{"type": "string"}]}),
                json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
                "the choices changed",
            ),
        ];
        for (narrow, wide, sentence) in cases {
            assert_eq!(
                found(Sender::Client, &narrow, &wide),
                Vec::<String>::new(),
                "{narrow} {wide}"
            );
            assert_eq!(found(Sender::Client, &wide, &narrow), [format!("it: {sentence}")]);
        }
    }

    #[test]
    fn what_clients_receive_may_have_more_properties_and_names_and_not_more_forms() {
        let object = |required: &[&str]| json!({"properties": {"a": {}}, "required": required});
        let cases = [
            (
                json!({"type": "string"}),
                json!({"type": ["string", "null"]}),
                "the type changed from string to null or string",
            ),
            (
                json!({"type": "integer"}),
                json!({"type": "number"}),
                "the type changed from integer to number",
            ),
            (json!({"enum": ["a"]}), json!({}), "any value may be sent"),
            (json!({"format": "uuid"}), json!({}), "`format` changed"),
            (object(&["a"]), object(&[]), "`a` is no longer always present"),
            (
                json!({"oneOf": [{"type": "string"}]}),
                json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
                "the choices changed",
            ),
        ];
        for (narrow, wide, sentence) in cases {
            assert_eq!(
                found(Sender::Service, &wide, &narrow),
                Vec::<String>::new(),
                "{narrow} {wide}"
            );
            assert_eq!(found(Sender::Service, &narrow, &wide), [format!("it: {sentence}")]);
        }
        let fewer = json!({"enum": ["a"], "properties": {}, "maxLength": 3});
        let more = json!({"enum": ["a", "b"], "properties": {"b": {}}, "maxLength": 4});
        assert_eq!(found(Sender::Service, &fewer, &more), Vec::<String>::new());
    }

    #[test]
    fn a_property_is_never_removed_wherever_it_is() {
        let (old, new) = (json!({"properties": {"a": {}}}), json!({"properties": {}}));
        for sender in [Sender::Client, Sender::Service] {
            let wrapped = |it: &Value| json!({"allOf": [{"items": {"additionalProperties": it}}]});
            let removed = found(sender, &wrapped(&old), &wrapped(&new));
            assert_eq!(removed, ["it[].*.a: the property is removed"]);
        }
    }

    #[test]
    fn references_are_followed_and_name_the_place() {
        let named = json!({"$ref": "#/components/schemas/Named"});
        let number = json!({"type": "number"});
        assert_eq!(
            found(Sender::Client, &named, &number),
            ["Named: the type changed from string to number"],
        );
        assert_eq!(
            found(Sender::Client, &named, &json!({"allOf": [named.clone()]})),
            Vec::<String>::new()
        );
        let endless = json!({"$ref": "#/components/schemas/Loop"});
        assert_eq!(found(Sender::Service, &endless, &endless), Vec::<String>::new());
    }
}
