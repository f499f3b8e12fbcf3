//! Filters on a list of contacts: conditions on one attribute each, all of which must hold.
//!
//! There are three forms: a bare value, `filter[email]=a@b.c`, tests equality; a pair,
//! `filter[email][operator]=startsWith&filter[email][value]=ann`, names the operator; the short form is
//! `filter[email][startsWith]=ann`. An attribute may have several short forms with a bare value or with a pair, but not
//! both a pair and a bare value, and no operator twice.
//!
//! Values are not trimmed. Text is compared in its folded form, where `%`, `_` and `\` are plain characters; moments
//! are compared with spans of time. `between` takes two values in a list, `[value][]=a&[value][]=b` or
//! `[between][]=a&[between][]=b`, or one value with its ends joined by a comma, where `\,` is a comma inside an end and
//! any other `\` is kept.
//!
//! Reading order: `attribute` and `operator` have the names, `condition` what a store gets, `span` and `ends` read
//! values, `parameters` gathers the parameters of a query, and `read` combines them.

mod attribute;
mod condition;
mod ends;
mod names;
mod operator;
mod parameters;
mod read;
mod span;

pub use attribute::{MomentAttribute, TextAttribute};
pub use condition::{Condition, MAX_FILTER_VALUE, MomentTest, TextTest};
pub use names::filters;
pub use read::MAX_CONDITIONS;
pub(super) use read::read;
