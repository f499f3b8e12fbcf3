//! The contacts of every company.
//!
//! Every transaction takes locks in one order: contacts by id (which never changes, unlike the email), new email
//! identities. Changes of counts are appended without a lock. So two transactions never deadlock.

mod behind;
mod blocked_emails;
mod by_value;
mod candidates;
mod change;
mod column_tests;
mod conditions;
mod covering;
mod create;
mod create_many;
mod create_together;
mod delete;
mod document;
mod domains;
mod erase;
mod erasures;
mod gather;
mod hits;
mod indexed;
mod known;
mod left_out;
mod limits;
mod list;
mod locked;
mod look_up;
mod matches;
mod matches_by_value;
mod one_character;
mod order;
mod overdue;
mod own_values;
mod page_rows;
mod part;
mod prepared;
mod ranges;
mod read;
mod restore;
mod rows;
mod set_values;
mod skipped;
mod store;
mod stored;
mod substrings;
mod trace;
pub(crate) mod unlist;
mod upsert_many;
mod value_conditions;
mod value_total;
mod values;
mod views;
mod walk;
mod ways;
mod window;
mod write;

pub(crate) use create_many::Creation;
pub use indexed::ValueIndexing;
pub use limits::ListLimits;
pub(crate) use read::{ContactReads, contact_reads};
pub(crate) use stored::stored_after;
