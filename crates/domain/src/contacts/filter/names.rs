//! The vocabulary of filters in the interface's words.

use super::attribute::Attribute;
use super::condition::applies;
use super::operator::Operator;

/// Every attribute that a filter can be on, with the names of the operators that it can be compared by.
pub fn filters() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    Attribute::ALL.into_iter().map(|(name, attribute)| {
        let known = Operator::NAMES.into_iter();
        let fitting = known.filter(|(_, operator)| applies(attribute, *operator).is_ok());
        (name, fitting.map(|(operator, _)| operator).collect())
    })
}
