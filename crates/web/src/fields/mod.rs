//! The fields of the caller's company.

pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod list_query;
pub(crate) mod list_values;
pub(crate) mod shapes;
mod values_query;
