//! Fields: list, create, change, values in use.

pub(crate) mod change;
pub(crate) mod create;
mod kind;
pub(crate) mod list;
pub(crate) mod list_values;
