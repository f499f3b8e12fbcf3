//! The contacts of every company.

mod document;
mod rows;
mod store;
mod value_uses;

pub(crate) use value_uses::ValueUse;
