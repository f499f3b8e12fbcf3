//! Contacts: list, look, create, change, delete.

pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod delete;
mod filters;
mod form;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod values;
