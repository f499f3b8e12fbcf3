//! The endpoint of the audit.

pub(crate) mod json;
pub(crate) mod list;
mod query;
pub(crate) mod shapes;
