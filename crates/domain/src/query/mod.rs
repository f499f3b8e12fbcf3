//! The query of a request: its parameters in their order, and the parameters that all lists have.
//!
//! Keys have the form `name[segment][segment]…`, with bare or percent-encoded brackets. The code that knows a name
//! validates everything below it. Unknown names are not decoded.

mod decoding;
mod listed;
mod parameter;
mod sorting;

pub(crate) use listed::Listed;
pub use parameter::{Parameter, Query};
pub(crate) use parameter::{integer, refuse};
pub(crate) use sorting::{SortRules, sorts};
