//! Contacts: list, look, create, change, delete.

pub(crate) mod change;
mod columns;
mod conflict;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod deleted;
mod events;
pub(crate) mod export;
mod filters;
mod form;
mod form_names;
pub(crate) mod import;
mod layout;
pub(crate) mod list;
mod narrowing;
mod patient_list;
pub(crate) mod read;
mod refused;
pub(crate) mod selected;
mod selection;
pub(crate) mod set_values;
mod table;
pub(crate) mod values;
mod version;
mod view_link;
pub(crate) mod views;
