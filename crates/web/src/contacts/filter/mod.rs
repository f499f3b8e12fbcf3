//! Filters on a list of contacts, as a query writes them.
//!
//! There are three forms: a bare value, `filter[email]=a@b.c`, tests equality; a pair,
//! `filter[email][operator]=startsWith&filter[email][value]=ann`, names the operator; the short form is
//! `filter[email][startsWith]=ann`. An attribute may have several short forms with a bare value or with a pair, but not
//! both a pair and a bare value, and no operator twice. `between` takes two values in a list, `[value][]=a&[value][]=b`
//! or `[between][]=a&[between][]=b`, or one value with its ends joined by a comma.
//!
//! A field goes by its key, as in `filter[field:jobTitle]`.
//!
//! `parameters` gathers the parameters of each attribute, and `read` makes comparisons of them, which the domain checks.

mod parameters;
mod read;

pub(super) use parameters::FIELD;
pub(super) use read::read;
