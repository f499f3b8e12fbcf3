//! The contacts.

mod allowlist;
mod create;
mod delete;
mod emails;
mod list;
mod numbers;
mod read;
mod restore;
mod text;
mod upsert_many;
mod values;
