//! The fields of every company.

mod cache;
mod change;
mod index_state;
mod load;
mod rows;
mod store;
mod uncounted;
mod values;

pub(crate) use cache::DirectoryCache;
pub(crate) use change::set_state;
pub(crate) use index_state::{IndexState, IndexUpkeep};
pub(crate) use load::{filterable, load_directory, recent};
