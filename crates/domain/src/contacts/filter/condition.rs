//! Conditions for a store, which compares bytes and integers.

use super::attribute::{Attribute, MomentAttribute, TextAttribute};
use super::ends::ends;
use super::operator::Operator;
use super::span::Span;
use super::value_test::ValueTest;
use super::values::{check, not_empty, single};
use crate::contacts::Folded;
use crate::ids::FieldId;
use crate::time::Timestamp;
use crate::violations::Problem;

/// The maximum number of conditions of one query.
pub const MAX_CONDITIONS: usize = 16;

/// One condition on one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The attribute's folded text passes the test.
    Text {
        /// The attribute.
        attribute: TextAttribute,
        /// The test.
        test: TextTest,
    },
    /// The attribute's moment passes the test.
    Moment {
        /// The attribute.
        attribute: MomentAttribute,
        /// The test.
        test: MomentTest,
    },
    /// The contact's value of a filterable field passes the test.
    Value {
        /// The field.
        field: FieldId,
        /// The test.
        test: ValueTest,
    },
}

/// A test of a folded text. No value is empty, and there are no wildcards. Texts are ordered by their bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextTest {
    /// It is this text.
    Equal(Folded),
    /// It is another text.
    NotEqual(Folded),
    /// It begins with this text.
    StartsWith(Folded),
    /// This text occurs in it.
    Contains(Folded),
    /// This text does not occur in it.
    NotContains(Folded),
    /// It sorts after this text.
    Greater(Folded),
    /// It sorts before this text.
    Less(Folded),
    /// It sorts neither before the first text nor after the second. No text passes when the first is greater.
    Between(Folded, Folded),
}

/// A test of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentTest {
    /// It is later than this moment.
    After(Timestamp),
    /// It is earlier than this moment.
    Before(Timestamp),
    /// It is neither earlier than the first moment nor later than the second. No moment passes when the first is later.
    /// An open end is [`Timestamp::MIN`] or [`Timestamp::MAX`].
    Between(Timestamp, Timestamp),
}

/// Checks that the attribute can be compared by the operator.
pub(super) fn applies(attribute: Attribute, operator: Operator) -> Result<(), Problem> {
    let for_values =
        matches!(operator, Operator::GreaterOrEqual | Operator::LessOrEqual | Operator::Exists);
    let for_moments = matches!(operator, Operator::Greater | Operator::Less | Operator::Between);
    match attribute {
        Attribute::Moment(_) if !for_moments => {
            Err(Problem::new("must be compared by one of the operators >, <, between"))
        }
        Attribute::Text(_) if for_values => Err(Problem::new("must be a known operator")),
        Attribute::Text(_) | Attribute::Moment(_) => Ok(()),
    }
}

/// Reads the values of a condition whose operator [`applies`] to its attribute.
pub(super) fn compile(
    attribute: Attribute,
    operator: Operator,
    values: &[String],
) -> Result<Condition, Problem> {
    check(values)?;
    match attribute {
        Attribute::Text(attribute) => {
            text_test(operator, values).map(|test| Condition::Text { attribute, test })
        }
        Attribute::Moment(attribute) => {
            moment_test(operator, values).map(|test| Condition::Moment { attribute, test })
        }
    }
}

fn text_test(operator: Operator, values: &[String]) -> Result<TextTest, Problem> {
    let compare =
        |test: fn(Folded) -> TextTest| single(values).map(|value| test(Folded::of(value)));
    match operator {
        Operator::Equal => compare(TextTest::Equal),
        Operator::NotEqual => compare(TextTest::NotEqual),
        Operator::StartsWith => compare(TextTest::StartsWith),
        Operator::Contains => compare(TextTest::Contains),
        Operator::NotContains => compare(TextTest::NotContains),
        Operator::Greater => compare(TextTest::Greater),
        Operator::Less => compare(TextTest::Less),
        Operator::Between => {
            let (lower, upper) = ends(values)?;
            not_empty(&lower)?;
            not_empty(&upper)?;
            Ok(TextTest::Between(Folded::of(&lower), Folded::of(&upper)))
        }
        // The caller has checked `applies`.
        Operator::GreaterOrEqual | Operator::LessOrEqual | Operator::Exists => {
            Err(Problem::new("must be a known operator"))
        }
    }
}

fn moment_test(operator: Operator, values: &[String]) -> Result<MomentTest, Problem> {
    match operator {
        Operator::Less => Ok(MomentTest::Before(Span::parse(single(values)?)?.first)),
        Operator::Between => {
            moment_range(values).map(|(first, last)| MomentTest::Between(first, last))
        }
        // The caller has checked `applies`, so this is `Greater`.
        _ => Ok(MomentTest::After(Span::parse(single(values)?)?.last)),
    }
}

/// The first and the last moment of `between`, either of which may be open.
pub fn moment_range(values: &[String]) -> Result<(Timestamp, Timestamp), Problem> {
    let (lower, upper) = ends(values)?;
    if lower.is_empty() && upper.is_empty() {
        return Err(Problem::new("must have at least one end"));
    }
    let open = Span { first: Timestamp::MIN, last: Timestamp::MAX };
    let end = |text: &str| {
        if text.is_empty() { Ok(open) } else { Span::parse(text) }
    };
    Ok((end(&lower)?.first, end(&upper)?.last))
}
