//! The change feed: an entry for every change of a company's contacts, fields and syncs.
//!
//! An entry is stored in the transaction of its change. Entries have an order in which none appears later before one that
//! was already returned, so a client that remembers its [`Position`] misses none.

mod entry;
mod error;
mod kind;
mod list;
mod port;
mod position;
mod query;

pub use entry::{ChangeEntry, NewEntry};
pub use error::ChangesError;
pub use kind::ChangeType;
pub use list::{list, of_contact};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockChangeStore;
pub use port::{ChangeStore, ChangesOutcome, ChangesPage};
pub use position::Position;
pub use query::{After, ChangesQuery, DEFAULT_CHANGES, MAX_CHANGES, MAX_WAIT};
