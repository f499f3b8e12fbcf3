//! Values of fields.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A value of a field. Dates and moments are texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text, a date as `2026-11-20`, or a moment in RFC 3339.
    Text(String),
    /// A number.
    Number(Number),
    /// True or false.
    Boolean(bool),
}

/// A number with all of its digits, in the notation of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(String);

/// A text is not a number in the notation of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a number in the notation of JSON")]
pub struct NumberError;

impl Number {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest number that fits into 64 bits.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|_not_json| NumberError)?;
        match raw.get().as_bytes() {
            [b'-' | b'0'..=b'9', ..] => Ok(Self(raw.get().to_owned())),
            _ => Err(NumberError),
        }
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self(number.to_string())
    }
}

impl TryFrom<f64> for Number {
    type Error = NumberError;

    /// Infinity and NaN are errors.
    fn try_from(number: f64) -> Result<Self, NumberError> {
        number.to_string().parse()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(is: bool) -> Self {
        Self::Boolean(is)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number.into())
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
            Self::Boolean(is) => is.fmt(f),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            // A number type of Rust would round it.
            Self::Number(Number(digits)) => RawValue::from_string(digits.clone())
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
            Self::Boolean(is) => is.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match raw.get() {
            "true" => Ok(Self::Boolean(true)),
            "false" => Ok(Self::Boolean(false)),
            text if text.starts_with('"') => {
                serde_json::from_str(text).map(Self::Text).map_err(D::Error::custom)
            }
            other => other.parse().map(Self::Number).map_err(|_not_number: NumberError| {
                D::Error::custom("a value must be a text, a number, true or false")
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Number, Value};

    #[test]
    fn a_number_keeps_its_digits() {
        for digits in ["12.50", "-0", "123456789012345678901234567890.10", "1e400"] {
            let value: Value = serde_json::from_str(digits).expect("a number");
            assert_eq!(value, Value::Number(digits.parse().expect("a number")));
            assert_eq!(serde_json::to_string(&value).expect("JSON"), digits);
        }
        for other in ["", "x", "01", "1 2", "+1", "\"1\"", "true", "null", "NaN", "1e"] {
            assert!(other.parse::<Number>().is_err(), "{other}");
        }
        assert!(Number::try_from(f64::NAN).is_err());
        for other in ["null", "[]", "{}"] {
            assert!(serde_json::from_str::<Value>(other).is_err(), "{other}");
        }
    }

    proptest! {
        #[test]
        fn any_text_and_number_survives_a_round_trip(text: String, number: i64, is: bool) {
            for value in [Value::from(text.clone()), Value::from(number), Value::from(is)] {
                let json = serde_json::to_string(&value).expect("JSON");
                prop_assert_eq!(serde_json::from_str::<Value>(&json).expect("a value"), value);
            }
        }

        #[test]
        fn a_finite_number_becomes_its_shortest_digits(number in proptest::num::f64::NORMAL) {
            let read = Number::try_from(number).expect("a number").to_f64();
            prop_assert_eq!(read.to_bits(), number.to_bits());
        }
    }
}
