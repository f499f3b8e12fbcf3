//! Fields: list, create, values in use.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod list_values;
