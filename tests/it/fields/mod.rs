//! The fields and their values.

mod create;
mod derivation;
mod list;
mod of_contact;
