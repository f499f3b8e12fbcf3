//! The contacts.

mod create;
mod delete;
mod list;
mod upsert_many;
