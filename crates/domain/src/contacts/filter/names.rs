//! The names of attributes and operators in the interface.

use super::attribute::Attribute;
use super::condition::applies;
use super::operator::Operator;
use super::value_test::compares;
use crate::fields::FieldType;

/// Every attribute that can be filtered, with the names of its operators.
pub fn filters() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    Attribute::ALL.into_iter().map(|(name, attribute)| {
        let known = Operator::NAMES.into_iter();
        let fitting = known.filter(|(_, operator)| applies(attribute, *operator).is_ok());
        (name, fitting.map(|(operator, _)| operator).collect())
    })
}

/// The names of the operators that compare the values of a field of this type.
pub fn field_operators(kind: FieldType) -> impl Iterator<Item = &'static str> {
    let fitting = Operator::NAMES.into_iter().filter(move |(_, it)| compares(kind, *it));
    fitting.map(|(name, _)| name)
}
