//! The query of a request: its parameters in their order, and the parameters that all lists have.
//!
//! Keys have the form `name[segment][segment]…`, with bare or percent-encoded brackets. The code that knows a name
//! reads everything below it, next to the handler of its list. Unknown names are not decoded. The domain decides what a
//! query may ask for.

mod asked;
mod decoding;
mod listed;
mod page;
mod parameter;
mod sorting;
mod unsupported;

pub use asked::FromQuery;
pub(crate) use asked::{Asked, Described};
pub(crate) use listed::Listed;
pub(crate) use page::{NUMBERED, keyed, numbered, only_keys, page};
pub(crate) use parameter::{Parameter, Query, integer_within};
pub(crate) use sorting::sorts;
pub(crate) use unsupported::{no_filters, no_sorts};
