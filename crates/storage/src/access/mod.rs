//! Companies, users and keys; passwords, sessions and one-time links.

mod cache;
mod companies;
mod keys;
mod links;
mod lock;
mod rows;
mod session_rows;
mod session_store;
mod sessions;
mod store;
mod users;
mod writes;

pub(crate) use cache::HolderCache;
