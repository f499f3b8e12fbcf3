//! The fields of the caller's company.

pub(crate) mod create;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod list_values;
pub(crate) mod read_of_contact;
pub(crate) mod replace_of_contact;
pub(crate) mod shapes;
