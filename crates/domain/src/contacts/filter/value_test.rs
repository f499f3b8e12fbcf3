//! Tests of the values of a filterable field.

use std::ops::Bound;

use super::ends::ends;
use super::operator::Operator;
use super::values::{check, single};
use crate::contacts::Folded;
use crate::fields::{FieldType, FieldValue};
use crate::input::Input;
use crate::text::folded;
use crate::violations::Problem;

/// A test of the value of a field, by its [`FieldValue::list_key`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueTest {
    /// There is a value, or there is none.
    Exists(bool),
    /// There is a value with a key in this range.
    Within(Bound<Vec<u8>>, Bound<Vec<u8>>),
    /// There is a text whose folded form contains this text.
    Contains(Folded),
}

impl ValueTest {
    /// Whether a contact with this value, or without one, matches.
    pub(crate) fn passes(&self, value: Option<&FieldValue>) -> bool {
        match (self, value) {
            (Self::Exists(wanted), value) => *wanted == value.is_some(),
            (Self::Contains(part), Some(FieldValue::String(text))) => {
                folded(text).contains(part.as_str())
            }
            (Self::Within(from, to), Some(value)) => {
                let key = value.list_key();
                let starts = match from {
                    Bound::Included(from) => key >= *from,
                    Bound::Excluded(from) => key > *from,
                    Bound::Unbounded => true,
                };
                starts
                    && match to {
                        Bound::Included(to) => key <= *to,
                        Bound::Excluded(to) => key < *to,
                        Bound::Unbounded => true,
                    }
            }
            _ => false,
        }
    }
}

/// Whether values of this type can be compared by the operator.
pub(super) const fn compares(kind: FieldType, operator: Operator) -> bool {
    let is_ordered = matches!(kind, FieldType::Number | FieldType::Date | FieldType::DateTime);
    match operator {
        Operator::Equal | Operator::Exists => true,
        Operator::StartsWith | Operator::Contains => matches!(kind, FieldType::String),
        Operator::Less
        | Operator::LessOrEqual
        | Operator::Greater
        | Operator::GreaterOrEqual
        | Operator::Between => is_ordered,
        Operator::NotEqual | Operator::NotContains => false,
    }
}

/// Reads the values of a test whose operator [`compares`] the type.
pub(super) fn value_test(
    kind: FieldType,
    operator: Operator,
    values: &[String],
) -> Result<ValueTest, Problem> {
    check(values)?;
    let key = |text: &str| key_of(kind, text);
    let within = |from, to| Ok(ValueTest::Within(from, to));
    match operator {
        Operator::Exists => match single(values)?.as_str() {
            "true" => Ok(ValueTest::Exists(true)),
            "false" => Ok(ValueTest::Exists(false)),
            _ => Err(Problem::new("must be true or false")),
        },
        Operator::StartsWith => {
            let prefix = folded(single(values)?).into_bytes();
            within(Bound::Included(prefix.clone()), after_prefix(prefix))
        }
        Operator::Contains => Ok(ValueTest::Contains(Folded::of(single(values)?))),
        Operator::Less => within(Bound::Unbounded, Bound::Excluded(key(single(values)?)?)),
        Operator::LessOrEqual => within(Bound::Unbounded, Bound::Included(key(single(values)?)?)),
        Operator::Greater => within(Bound::Excluded(key(single(values)?)?), Bound::Unbounded),
        Operator::GreaterOrEqual => {
            within(Bound::Included(key(single(values)?)?), Bound::Unbounded)
        }
        Operator::Between => {
            let (lower, upper) = ends(values)?;
            within(Bound::Included(key(&lower)?), Bound::Included(key(&upper)?))
        }
        _ => {
            let key = key(single(values)?)?;
            within(Bound::Included(key.clone()), Bound::Included(key))
        }
    }
}

/// The key of a value that a query writes as text. A space counts as `+`, because an unencoded `+` is decoded to a space.
fn key_of(kind: FieldType, text: &str) -> Result<Vec<u8>, Problem> {
    let input = match kind {
        FieldType::String | FieldType::Date => Input::from(text),
        FieldType::DateTime => Input::from(text.replace(' ', "+").as_str()),
        FieldType::Number => Input::Number(text.to_owned()),
        FieldType::Boolean if text == "true" => Input::Bool(true),
        FieldType::Boolean if text == "false" => Input::Bool(false),
        FieldType::Boolean => return Err(Problem::new("must be true or false")),
    };
    FieldValue::validate(kind, &input).map(|value| value.list_key())
}

/// The end of the range of keys that begin with a text. No byte of UTF-8 is 255.
fn after_prefix(mut prefix: Vec<u8>) -> Bound<Vec<u8>> {
    match prefix.last_mut() {
        Some(last) => {
            *last = last.saturating_add(1);
            Bound::Excluded(prefix)
        }
        None => Bound::Unbounded,
    }
}
