//! JSON objects, read one level at a time: a nested value stays text until it is decoded, so that a number keeps its
//! digits and a wrong type is reported at its field.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;

use crate::error::ApiError;

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 64;

/// An object whose members are not decoded yet; of duplicate members the last counts.
pub(crate) struct Object<'a>(BTreeMap<String, &'a RawValue>);

impl<'a> Object<'a> {
    /// Reads the root of a body.
    pub(crate) fn of_body(text: &'a str) -> Result<Self, ApiError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if is_too_deep(text) {
            return Err(ApiError::unreadable_body("must not be nested deeper than 64 levels"));
        }
        let root: &RawValue = serde_json::from_str(text)
            .map_err(|_not_json| ApiError::unreadable_body("must be JSON"))?;
        Self::of(root).ok_or_else(|| ApiError::unreadable_body("must be a JSON object"))
    }

    /// The value's members, when it is an object.
    pub(crate) fn of(value: &'a RawValue) -> Option<Self> {
        serde_json::from_str(value.get()).ok().map(Self)
    }

    /// The input of the request for a member.
    pub(crate) fn input<P: From<Input>>(&self, name: &str) -> P {
        self.read(name).into()
    }

    fn read(&self, name: &str) -> Input {
        self.0.get(name).map_or(Input::Absent, |value| Input::from_json(value.get()))
    }

    /// The input of the request for an object, with its members.
    pub(crate) fn members<M: From<(String, Input)>>(&self, name: &str) -> Property<Vec<M>> {
        let member =
            |(key, value): (String, &RawValue)| (key, Input::from_json(value.get())).into();
        match (self.read(name), self.0.get(name)) {
            (Input::Absent, _) => Property::Absent,
            (Input::Null, _) => Property::Null,
            (_, value) => value
                .and_then(|value| Object::of(value))
                .map_or_else(Property::not_an_object, |it| it.0.into_iter().map(member).collect()),
        }
    }

    /// The items of an array, decoded by `read`. Reading stops at the item after the first `max`.
    pub(crate) fn list<T>(
        &self,
        name: &str,
        max: usize,
        read: impl Fn(&'a RawValue) -> T,
    ) -> Property<Vec<T>> {
        match (self.read(name), self.0.get(name)) {
            (Input::Absent, _) => Property::Absent,
            (Input::Null, _) => Property::Null,
            (_, value) => value
                .and_then(|value| first_items(value.get(), max + 1))
                .map_or_else(Property::not_an_array, |items| items.into_iter().map(read).collect()),
        }
    }

    /// The input of the request for an array of scalar values.
    pub(crate) fn scalars<P: From<Input>>(&self, name: &str, max: usize) -> Property<Vec<P>> {
        self.list(name, max, |item| Input::from_json(item.get()).into())
    }

    /// The same where null does not count as absent, as in a change.
    pub(crate) fn given_scalars<P: From<Input>>(&self, name: &str, max: usize) -> Property<Vec<P>> {
        match self.read(name) {
            Input::Null => Property::not_an_array(),
            _ => self.scalars(name, max),
        }
    }
}

/// The first items of an array, so that millions of items take no memory; `None` if it is no array.
fn first_items(json: &str, max: usize) -> Option<Vec<&RawValue>> {
    struct FirstItems(usize);

    impl<'de> Visitor<'de> for FirstItems {
        type Value = Vec<&'de RawValue>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            let mut first = Vec::new();
            while first.len() < self.0 {
                match items.next_element()? {
                    Some(item) => first.push(item),
                    None => return Ok(first),
                }
            }
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(first)
        }
    }

    serde_json::Deserializer::from_str(json).deserialize_seq(FirstItems(max)).ok()
}

/// Whether brackets outside of strings nest too deeply. The parser would notice only after descending.
fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'{' | b'[') => depth += 1,
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::input::Input;

    use super::{Object, is_too_deep};

    #[test]
    fn the_last_of_two_members_counts_and_numbers_keep_their_digits() {
        let body = "\u{feff}{\"a\": 1, \"n\": 12345678901234567890.10, \"a\": \"x\"}";
        let object = Object::of_body(body).expect("an object");
        assert_eq!(object.read("a"), Input::from("x"));
        assert_eq!(object.read("n"), Input::Number("12345678901234567890.10".into()));
        assert_eq!(object.read("b"), Input::Absent);
    }

    #[test]
    fn an_unpaired_surrogate_is_reported_with_its_field() {
        let object = Object::of_body(r#"{"a": "\ud800", "b": "\ud83c\udf82"}"#).expect("an object");
        assert_eq!(object.read("a"), Input::BrokenText);
        assert_eq!(object.read("b"), Input::from("🎂"));
    }

    #[test]
    fn rejects_what_is_not_an_object() {
        for body in [
            "",
            " ",
            "nul",
            "[]",
            "1",
            "{",
            "{}x",
            "{\"a\":01}",
            "{'a':1}",
            "\"{}\"",
            "{\"a\":\"\u{1}\"}",
        ] {
            assert!(Object::of_body(body).is_err(), "{body}");
        }
    }

    #[test]
    fn counts_only_brackets_outside_of_strings() {
        assert!(!is_too_deep(&format!("{}{}", "[".repeat(64), "]".repeat(64))));
        assert!(is_too_deep(&"[".repeat(65)));
        assert!(!is_too_deep(&format!("[\"{}\\\"{}\"]", "[".repeat(100), "{".repeat(100))));
    }
}
