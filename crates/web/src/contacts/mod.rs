//! The contacts of the caller's company.

pub(crate) mod create;
pub(crate) mod json;
pub(crate) mod read;
