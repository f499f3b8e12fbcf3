//! The fields.

mod create;
mod derivation;
mod list;
