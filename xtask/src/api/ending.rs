//! Operations that were deprecated and have ended: they may be removed, and so may the schemas that only they use.

use std::collections::BTreeSet;

use serde_json::Value;

use super::date::Date;

/// How many months an operation works after it was deprecated.
const MONTHS_DEPRECATED: u32 = 12;

/// How many months ahead the day of its end is announced.
const MONTHS_ANNOUNCED: u32 = 6;

/// Whether an operation was deprecated and its day has come.
pub(super) fn has_ended(operation: &Value, today: Date) -> bool {
    operation.get("deprecated") == Some(&Value::Bool(true))
        && date(operation, "sunset").is_some_and(|sunset| sunset <= today)
}

fn date(operation: &Value, name: &str) -> Option<Date> {
    operation.get("x-deprecation")?.get(name)?.as_str()?.parse().ok()
}

/// Why the day that a change of an operation announces for its end is too soon; `None` if it is not.
pub(super) fn too_soon(old: &Value, new: &Value, today: Date) -> Option<String> {
    let sunset = date(new, "sunset")?;
    let earliest = date(new, "since")?.months_later(MONTHS_DEPRECATED);
    if sunset < earliest {
        return Some(format!("ends on {sunset}; {earliest} is the earliest after its deprecation"));
    }
    match date(old, "sunset") {
        Some(before) if sunset < before => {
            Some(format!("ends on {sunset}, but {before} was announced"))
        }
        Some(_) => None,
        None => {
            let earliest = today.months_later(MONTHS_ANNOUNCED);
            let reason =
                format!("ends on {sunset}; {earliest} is the earliest that may be announced today");
            (sunset < earliest).then_some(reason)
        }
    }
}

/// The names of the schemas to which only operations that have ended refer.
pub(super) fn schemas(document: &Value, today: Date) -> BTreeSet<&str> {
    let operations = ["paths", "webhooks"].into_iter().filter_map(|part| document.get(part));
    let operations = operations.flat_map(values).flat_map(values);
    let (ended, others): (Vec<_>, Vec<_>) = operations.partition(|it| has_ended(it, today));
    let kept = reachable(document, others);
    let ended = reachable(document, ended);
    ended.difference(&kept).filter_map(|it| it.strip_prefix("#/components/schemas/")).collect()
}

fn values(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_object().into_iter().flat_map(|members| members.values())
}

/// Every reference in these values and in what they refer to.
fn reachable<'a>(document: &'a Value, mut rest: Vec<&'a Value>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    while let Some(value) = rest.pop() {
        rest.extend(values(value));
        rest.extend(value.as_array().into_iter().flatten());
        if let Some(reference) = value.get("$ref").and_then(Value::as_str)
            && found.insert(reference)
        {
            rest.extend(document.pointer(reference.trim_start_matches('#')));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Date, has_ended, schemas, too_soon};

    fn day_of(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn deprecated(since: &str, sunset: Option<&str>) -> Value {
        json!({"deprecated": true, "x-deprecation": {"since": since, "sunset": sunset}})
    }

    #[test]
    fn only_a_deprecated_operation_ends_and_only_on_its_day() {
        let today = day_of("2028-07-01");
        assert!(has_ended(&deprecated("2027-01-15", Some("2028-07-01")), today));
        for operation in [
            deprecated("2027-01-15", Some("2028-07-02")),
            deprecated("2027-01-15", None),
            json!({"deprecated": true}),
            json!({"x-deprecation": {"since": "2027-01-15", "sunset": "2028-07-01"}}),
            json!({}),
        ] {
            assert!(!has_ended(&operation, today), "{operation}");
        }
    }

    #[test]
    fn an_end_is_announced_in_time_and_never_moved_forward() {
        let today = day_of("2028-01-01");
        let reason = |old: &Value, new: Value| too_soon(old, &new, today);
        let (stays, open) = (json!({}), deprecated("2027-01-15", None));
        let fixed = deprecated("2027-01-15", Some("2028-08-01"));
        assert_eq!(reason(&open, deprecated("2027-01-15", Some("2028-07-01"))), None);
        assert_eq!(reason(&fixed, fixed.clone()), None);
        assert_eq!(reason(&fixed, open.clone()), None);
        assert_eq!(reason(&fixed, stays.clone()), None);
        assert_eq!(
            reason(&open, deprecated("2027-01-15", Some("2028-06-30"))).unwrap(),
            "ends on 2028-06-30; 2028-07-01 is the earliest that may be announced today",
        );
        assert_eq!(
            reason(&stays, deprecated("2028-01-01", Some("2028-12-31"))).unwrap(),
            "ends on 2028-12-31; 2029-01-01 is the earliest after its deprecation",
        );
        assert_eq!(
            reason(&fixed, deprecated("2027-01-15", Some("2028-07-31"))).unwrap(),
            "ends on 2028-07-31, but 2028-08-01 was announced",
        );
    }

    #[test]
    fn the_schemas_of_ended_operations_alone_may_go_with_them() {
        let refer = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let mut ended = deprecated("2026-01-01", Some("2027-01-01"));
        ended["responses"] = json!({"200": [refer("Old"), refer("Shared")]});
        let document = json!({
            "paths": {"/old": {"get": ended}, "/new": {"get": {"responses": {"200": refer("New")}}}},
            "components": {"schemas": {
                "Old": {"properties": {"part": refer("Part"), "itself": refer("Old")}},
                "New": refer("Shared"), "Part": {}, "Shared": {}, "Unused": {},
            }},
        });
        let found: Vec<_> = schemas(&document, day_of("2027-01-01")).into_iter().collect();
        assert_eq!(found, ["Old", "Part"]);
        assert!(schemas(&document, day_of("2026-12-31")).is_empty());
    }
}
