//! The counts of a company's active contacts, of their beginnings and domains, and of the values in use.
//!
//! A transaction that changes contacts does not write the counts. It appends the changes to `count_changes`, so that it
//! neither waits for other transactions of its company nor writes the many pages on which the counts are. They are applied
//! to `contact_counts`, `text_counts`, `field_value_uses` and `field_value_blocks` in batches (`deferred`); a read adds
//! those that are not yet applied.

mod append;
pub(crate) mod apply;
mod blocks;
mod count_changes;
mod document;
mod in_range;
mod pending;
mod settle;
mod stored_total;
mod text_counts;
mod value_use;
mod value_uses;
mod zero_counts;

pub(crate) use blocks::{counted, start_of};
pub(crate) use count_changes::CountChanges;
pub(crate) use in_range::{InRange, KeyRange, contacts_in_range};
pub(crate) use pending::{pending_size, pending_totals, pending_uses};
pub(crate) use settle::settle;
pub(crate) use stored_total::{kept_total, stored_total};
pub(crate) use text_counts::{
    IS_DOMAIN, TextCounts, contacts_beginning, contacts_by_beginning, domains_containing,
    is_domain, pending_texts,
};
pub(crate) use value_use::ValueUse;
use value_uses::ValueUses;
