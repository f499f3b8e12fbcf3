//! The contacts of every company.
//!
//! Every transaction takes locks in one order: contacts by id (which never changes, unlike the email), new email
//! identities, counts of values by field and sort key, the company's count of contacts. So two transactions never
//! deadlock.

mod change;
mod conditions;
mod create;
mod delete;
mod document;
mod explain;
mod list;
mod list_after;
mod read;
mod rows;
mod store;
mod upsert_many;
mod value_uses;
mod values;
mod write;

pub(crate) use read::{ContactReads, contact_reads};
