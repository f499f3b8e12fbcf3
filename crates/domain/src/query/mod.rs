//! The query of a request: decoded parameters in the order in which they were sent, and what every list takes from them.
//!
//! Keys have the form `name[segment][segment]…`, with bare or percent-encoded brackets. Whoever knows a name validates all
//! that is below it; a name that nobody asks for is not even decoded.

mod decoding;
mod listed;
mod parameter;
mod sorting;

pub(crate) use listed::Listed;
pub use parameter::{Parameter, Query};
pub(crate) use parameter::{integer, refuse};
pub(crate) use sorting::{SortRules, sorts};
