//! One typed value.

use std::borrow::Cow;
use std::sync::Arc;

use time::Date;
use time::macros::format_description;

use super::{FieldType, Number};
use crate::input::{Input, UNPAIRED_SURROGATE, write_text};
use crate::text;
use crate::time::{ParsedTimestamp, Timestamp};
use crate::violations::Problem;

/// The longest string value, in code points. Values are not trimmed.
pub const MAX_STRING_VALUE: usize = 5000;

/// The maximum number of bytes of a key by which contacts are compared in lists. No value of a filter is that long.
pub const MAX_LIST_KEY: usize = 1100;

/// A value that is valid for its field's type. Two spellings of one number are equal. A moment with more or fewer fraction
/// digits is another value, since it is shown with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// Text, kept as sent. A clone shares it: it can be long, and a write needs it in several places.
    String(Arc<str>),
    /// A number, exact to its last digit.
    Number(Number),
    /// A day of the years 0001 to 9999.
    Date(Date),
    /// A moment, with the number of fraction digits to show.
    DateTime(ParsedTimestamp),
    /// True or false.
    Boolean(bool),
}

/// A value as the interface spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spelled<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A number in JSON's spelling.
    Number(&'a str),
    /// True or false.
    Boolean(bool),
}

impl FieldValue {
    /// Validates the input for a field of this type, without conversions.
    pub fn validate(kind: FieldType, input: &Input) -> Result<Self, Problem> {
        match (kind, input) {
            (_, Input::BrokenText) => Err(Problem::new(UNPAIRED_SURROGATE)),
            (FieldType::String, Input::Text(text)) => string(text),
            (FieldType::Number, Input::Number(text)) => Number::parse(text).map(Self::Number),
            (FieldType::Boolean, Input::Bool(value)) => Ok(Self::Boolean(*value)),
            (FieldType::Date, Input::Text(text)) => parse_date(text).map(Self::Date),
            (FieldType::DateTime, Input::Text(text)) => Timestamp::parse(text).map(Self::DateTime),
            (kind, _) => Err(Problem::new(match kind {
                FieldType::String => "must be a string",
                FieldType::Number => "must be a number",
                FieldType::Boolean => "must be true or false",
                FieldType::Date => "must be a date as a string YYYY-MM-DD",
                FieldType::DateTime => "must be an RFC 3339 date and time as a string",
            })),
        }
    }

    /// Restores a value of a field of this type from a store; `None` when it has another type.
    #[must_use]
    pub fn from_stored(kind: FieldType, stored: Input) -> Option<Self> {
        match (kind, stored) {
            (FieldType::String, Input::Text(text)) => Some(Self::String(text.into())),
            (FieldType::Number, Input::Number(text)) => {
                Number::from_stored(&text).map(Self::Number)
            }
            (kind, stored) => Self::validate(kind, &stored).ok(),
        }
    }

    /// The same for the JSON that [`FieldValue::write_json`] appended.
    #[must_use]
    pub fn from_stored_json(kind: FieldType, json: &str) -> Option<Self> {
        match kind {
            FieldType::Number => return Number::from_stored(json).map(Self::Number),
            FieldType::Boolean => return json.parse().ok().map(Self::Boolean),
            FieldType::String | FieldType::Date | FieldType::DateTime => {}
        }
        // Only a text without escapes is a part of its JSON.
        match (kind, serde_json::from_str::<&str>(json)) {
            (FieldType::String, Ok(text)) => Some(Self::String(text.into())),
            (FieldType::Date, Ok(text)) => parse_date(text).ok().map(Self::Date),
            (FieldType::DateTime, Ok(text)) => Timestamp::parse(text).ok().map(Self::DateTime),
            (kind, _) => Self::from_stored(kind, Input::from_json(json)),
        }
    }

    /// The type of the value.
    #[must_use]
    pub const fn kind(&self) -> FieldType {
        match self {
            Self::String(_) => FieldType::String,
            Self::Number(_) => FieldType::Number,
            Self::Date(_) => FieldType::Date,
            Self::DateTime(_) => FieldType::DateTime,
            Self::Boolean(_) => FieldType::Boolean,
        }
    }

    /// The value as the interface shows it. [`FieldValue::validate`] parses it to an equal value.
    #[must_use]
    pub fn shown(&self) -> Input {
        match self.spelled() {
            Spelled::Text(text) => Input::Text(text.into_owned()),
            Spelled::Number(number) => Input::Number(number.to_owned()),
            Spelled::Boolean(value) => Input::Bool(value),
        }
    }

    /// The same without a copy of a text or number.
    #[must_use]
    pub fn spelled(&self) -> Spelled<'_> {
        match self {
            Self::String(text) => Spelled::Text(Cow::Borrowed(text)),
            Self::Number(number) => Spelled::Number(number.as_str()),
            Self::Date(day) => Spelled::Text(Cow::Owned(date_text(*day))),
            Self::DateTime(moment) => {
                Spelled::Text(Cow::Owned(moment.at.to_text(moment.fraction_digits)))
            }
            Self::Boolean(value) => Spelled::Boolean(*value),
        }
    }

    /// The value as JSON, as [`Self::shown`] spells it.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        self.write_json(&mut json);
        json
    }

    /// Appends the value as JSON, as [`Self::shown`] spells it.
    pub fn write_json(&self, json: &mut String) {
        match self.spelled() {
            Spelled::Text(text) => write_text(&text, json),
            Spelled::Number(number) => json.push_str(number),
            Spelled::Boolean(value) => json.push_str(if value { "true" } else { "false" }),
        }
    }

    /// Bytes by which contacts are filtered and sorted in lists: as [`Self::sort_key`], but of a text only the folded form,
    /// cut to [`MAX_LIST_KEY`] bytes.
    #[must_use]
    pub fn list_key(&self) -> Vec<u8> {
        let Self::String(text) = self else {
            return self.sort_key();
        };
        let mut key = text::folded(text);
        key.truncate(key.floor_char_boundary(MAX_LIST_KEY));
        key.into_bytes()
    }

    /// The part of a folded text that [`Self::list_key`] leaves out.
    #[must_use]
    pub fn list_rest(&self) -> Vec<u8> {
        let Self::String(text) = self else {
            return Vec::new();
        };
        let mut folded = text::folded(text);
        folded.split_off(folded.floor_char_boundary(MAX_LIST_KEY)).into_bytes()
    }

    /// Bytes that compare as the values do: numbers by value, false before true, text by its folded form and then by
    /// code point.
    #[must_use]
    pub fn sort_key(&self) -> Vec<u8> {
        match self {
            Self::String(text) => {
                // No value contains NUL, so a text sorts before longer texts that start with it.
                [text::folded(text).as_bytes(), b"\0", text.as_bytes()].concat()
            }
            Self::Number(number) => number.sort_key(),
            Self::Date(day) => date_text(*day).into_bytes(),
            Self::DateTime(moment) => {
                moment.at.micros().wrapping_sub(i64::MIN).to_be_bytes().to_vec()
            }
            Self::Boolean(value) => vec![u8::from(*value)],
        }
    }
}

fn string(text: &str) -> Result<FieldValue, Problem> {
    text::bounded(text::without_nul(text)?, MAX_STRING_VALUE)?;
    Ok(FieldValue::String(text.into()))
}

/// Parses a calendar day of the years 0001 to 9999 in the form `YYYY-MM-DD`.
pub(crate) fn parse_date(text: &str) -> Result<Date, Problem> {
    let problem = || Problem::new("must be a real calendar day, YYYY-MM-DD");
    // The library would accept a sign before the year.
    if text.len() != 10 || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(problem());
    }
    Date::parse(text, format_description!("[year]-[month]-[day]"))
        .ok()
        .filter(|day| day.year() >= 1)
        .ok_or_else(problem)
}

fn date_text(day: Date) -> String {
    day.format(format_description!("[year]-[month]-[day]")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{FieldType, FieldValue};
    use crate::input::Input;

    fn validated(kind: FieldType, input: &Input) -> Option<Input> {
        FieldValue::validate(kind, input).ok().map(|value| value.shown())
    }

    #[test]
    fn does_not_coerce() {
        let samples = [
            Input::from("x"),
            Input::Number("1".into()),
            Input::Bool(true),
            Input::from("2026-02-28"),
            Input::from("2026-02-28T00:00:00Z"),
            Input::Composite,
            Input::BrokenText,
        ];
        let taken = |kind| samples.iter().filter(|g| validated(kind, g).is_some()).count();
        assert_eq!(taken(FieldType::String), 3);
        for kind in [FieldType::Number, FieldType::Boolean, FieldType::Date, FieldType::DateTime] {
            assert_eq!(taken(kind), 1, "{kind}");
        }
    }

    proptest! {
        #[test]
        fn a_value_is_serialised_as_it_is_shown(text in any::<String>(), json in "[\\PC\"\\\\\n\t\x00-\x1f\x7f]*") {
            for text in [text, json] {
                let value = FieldValue::String(text.as_str().into());
                prop_assert_eq!(value.to_json(), serde_json::to_string(&text).expect("JSON"));
                prop_assert_eq!(value.to_json(), value.shown().to_json());
                let stored = FieldValue::from_stored_json(FieldType::String, &value.to_json());
                prop_assert_eq!(stored, Some(value));
            }
        }
    }

    #[test]
    fn values_without_text_are_json_too() {
        for (kind, json) in [
            (FieldType::Number, "-1.50e2"),
            (FieldType::Boolean, "true"),
            (FieldType::Boolean, "false"),
            (FieldType::Date, "\"2024-02-29\""),
            (FieldType::DateTime, "\"2024-02-29T10:20:30.120+00:00\""),
        ] {
            let value = FieldValue::validate(kind, &Input::from_json(json)).expect("a value");
            assert_eq!(value.to_json(), json);
            let stored = FieldValue::from_stored_json(kind, json).expect("a value");
            assert_eq!(stored.to_json(), json);
            for other in FieldType::ALL.into_iter().filter(|other| *other != kind) {
                assert!(
                    FieldValue::from_stored_json(other, json).is_none_or(|it| it.kind() == other)
                );
            }
        }
    }

    #[test]
    fn a_date_is_a_real_day() {
        for day in ["2024-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(validated(FieldType::Date, &day.into()), Some(day.into()));
        }
        for day in [
            "2023-02-29",
            "0000-01-01",
            "2026-1-01",
            "+026-01-01",
            "-001-01-01",
            "2026-01-01 ",
            " 2026-01-1",
            "２０26-1",
        ] {
            assert_eq!(validated(FieldType::Date, &day.into()), None, "{day}");
        }
    }

    #[test]
    fn text_is_kept_as_sent_up_to_its_bound() {
        assert_eq!(validated(FieldType::String, &"  a ".into()), Some("  a ".into()));
        assert_eq!(validated(FieldType::String, &"".into()), Some("".into()));
        assert!(validated(FieldType::String, &Input::Text("é".repeat(5000))).is_some());
        assert!(validated(FieldType::String, &Input::Text("é".repeat(5001))).is_none());
        assert!(validated(FieldType::String, &"a\0b".into()).is_none());
    }

    #[test]
    fn stored_values_are_accepted_under_any_later_rule() {
        let stored = |kind, input: Input| FieldValue::from_stored(kind, input).map(|it| it.shown());
        for (kind, input) in [
            (FieldType::String, Input::Text("é".repeat(5001))),
            (FieldType::Number, Input::Number("9".repeat(1001))),
            (FieldType::Number, Input::Number("-1e9999".into())),
            (FieldType::Boolean, Input::Bool(true)),
        ] {
            assert_eq!(stored(kind, input.clone()), Some(input));
        }
        assert_eq!(stored(FieldType::String, Input::Bool(true)), None);
        assert_eq!(stored(FieldType::Number, Input::Number("x".into())), None);
    }

    #[test]
    fn sort_keys_follow_the_type() {
        let key =
            |kind, text: &str| FieldValue::validate(kind, &text.into()).expect(text).sort_key();
        for pair in ["", "A", "a", "aB", "ab", "b", "É"].windows(2) {
            assert!(key(FieldType::String, pair[0]) < key(FieldType::String, pair[1]), "{pair:?}");
        }
        assert_eq!(
            key(FieldType::DateTime, "2026-01-01T00:00:00Z"),
            key(FieldType::DateTime, "2026-01-01T01:00:00.000+01:00")
        );
        assert!(
            key(FieldType::DateTime, "1960-01-01T00:00:00Z")
                < key(FieldType::DateTime, "2026-01-01T00:00:00Z")
        );
    }
}
