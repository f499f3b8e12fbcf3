//! The fields of every company.

mod cache;
mod rows;
mod store;
mod uncounted;
mod values;

pub(crate) use cache::DirectoryCache;
pub(crate) use store::load_directory;
