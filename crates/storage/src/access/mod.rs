//! Companies, users and keys; passwords, sessions and one-time links.

mod cache;
mod links;
mod rows;
mod session_rows;
mod session_store;
mod sessions;
mod store;
mod writes;

pub(crate) use cache::HolderCache;
