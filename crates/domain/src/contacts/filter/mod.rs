//! Filters on a list of contacts: conditions on one attribute each, all of which must hold.
//!
//! A condition is written in one of three ways: `filter[email]=a@b.c` is equality; a pair,
//! `filter[email][operator]=startsWith&filter[email][value]=ann`, names its comparison; short is
//! `filter[email][startsWith]=ann`. An attribute may have several short ones beside a bare value or beside a pair, but
//! not a pair beside a bare value, and no comparison twice, in whatever spelling.
//!
//! Values are taken as sent, white space included. Text matches by its folded twin, where `%`, `_` and `\` are plain
//! characters; moments match as spans of time. `between` takes two values in a list, `[value][]=a&[value][]=b` or
//! `[between][]=a&[between][]=b`, each as sent, or one value with its ends joined by a comma, where `\,` stands for a
//! comma inside an end and any other `\` for itself.
//!
//! Reading order: `attribute` and `operator` are the vocabulary, `condition` is
//! what a store sees, `span` and `ends` read values, `parameters` gathers what a query says, `read` pairs it up.

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
