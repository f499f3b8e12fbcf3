//! The fields and their values.

mod create;
mod derivation;
mod list;
mod list_values;
