//! The contacts.

mod allowlist;
mod create;
mod emails;
mod numbers;
mod read;
mod restore;
mod text;
mod values;
