//! The fields and their values.

mod change;
mod create;
mod derivation;
mod list;
mod list_values;
