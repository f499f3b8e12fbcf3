//! The counts of a company's active contacts and of the values in use.
//!
//! A transaction that changes contacts does not write the counts. It appends the changes to `count_changes`, so that it
//! neither waits for other transactions of its company nor writes the many pages on which the counts are. A background
//! task applies the changes to `contact_counts` and `field_value_uses` in batches; a read adds those that are not yet
//! applied, so every answer is exact.
//!
//! The changes that wait are bounded: when there are too many of a company, its next writer applies some first.

mod append;
mod apply;
mod backlog;
mod document;
mod pending;
mod upkeep;
mod value_use;
mod value_uses;

pub(crate) use backlog::CountBacklog;
pub(crate) use pending::pending_uses;
pub(crate) use value_use::ValueUse;
pub(crate) use value_uses::ValueUses;

pub use upkeep::CountUpkeep;
