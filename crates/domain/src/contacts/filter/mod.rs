//! Filters on a list of contacts: conditions on one attribute each, all of which must hold.
//!
//! Values are not trimmed. Text is compared in its folded form, where `%`, `_` and `\` are plain characters; moments
//! are compared with spans of time. `between` takes two values, or one value with its ends joined by a comma, where `\,`
//! is a comma inside an end and any other `\` is kept.
//!
//! Reading order: `attribute` and `operator` have the names, `comparison` is what a query asks for, `condition` is what
//! a store gets, and `values`, `span` and `ends` read values.

mod attribute;
mod comparison;
mod condition;
mod ends;
mod names;
mod operator;
mod span;
mod value_test;
mod values;

pub use attribute::{Attribute, MomentAttribute, TextAttribute};
pub(super) use comparison::field_conditions;
pub use comparison::{Comparison, conditions};
pub use condition::{Condition, MAX_CONDITIONS, MomentTest, TextTest, moment_range};
pub use names::{field_operators, filters};
pub use operator::Operator;
pub use value_test::ValueTest;
pub use values::MAX_FILTER_VALUE;
