//! Companies, users and keys.

mod cache;
mod rows;
mod store;
mod writes;

pub(crate) use cache::HolderCache;
