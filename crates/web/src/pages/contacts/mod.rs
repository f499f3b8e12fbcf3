//! Contacts: list, look, create, change, delete.

pub(crate) mod change;
mod columns;
mod conflict;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod export;
mod filters;
mod form;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod read;
mod refused;
mod table;
pub(crate) mod values;
mod version;
