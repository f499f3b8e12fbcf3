//! Rules for the values of every condition.

use crate::text;
use crate::violations::Problem;

/// The longest value of a filter, in code points.
pub const MAX_FILTER_VALUE: usize = 256;

/// Checks that no value is too long, and that a single one is not empty. One of two ends may be open, where that has a
/// meaning.
pub(super) fn check(values: &[String]) -> Result<(), Problem> {
    if let [value] = values {
        not_empty(value)?;
    }
    values.iter().try_for_each(|value| text::bounded(value, MAX_FILTER_VALUE).map(drop))
}

pub(super) fn single(values: &[String]) -> Result<&String, Problem> {
    match values {
        [value] => Ok(value),
        _ => Err(Problem::new("must be a single value")),
    }
}

pub(super) fn not_empty(value: &str) -> Result<(), Problem> {
    if value.is_empty() {
        return Err(Problem::new("must not be empty"));
    }
    Ok(())
}
