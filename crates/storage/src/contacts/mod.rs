//! The contacts of every company.
//!
//! Every transaction takes locks in one order: contacts by id (which never changes, unlike the email), new email
//! identities. Changes of counts are appended without a lock. So two transactions never deadlock.

mod blocked_emails;
mod change;
mod create;
mod create_many;
mod create_together;
mod delete;
mod document;
mod erase;
mod erasures;
pub(crate) mod indexed;
mod known;
mod lists;
mod locked;
mod look_up;
mod overdue;
mod read;
mod restore;
mod rows;
mod set_values;
mod store;
mod stored;
mod trace;
pub(crate) mod unlist;
mod upsert_many;
mod values;
mod views;
mod write;

pub(crate) use create_many::Creation;
pub(crate) use document::values_of;
pub use indexed::ValueIndexing;
pub use lists::ListLimits;
pub(crate) use read::{ContactReads, contact_reads};
pub(crate) use stored::stored_after;
