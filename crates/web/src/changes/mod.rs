//! The endpoint of the change feed.

pub(crate) mod json;
pub(crate) mod list;
mod query;
pub(crate) mod shapes;
