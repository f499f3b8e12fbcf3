//! The audit.
//!
//! Entries have positions as those of the change feed, which tell them apart. Their order is that of their moments.

mod append;
mod list;
mod rows;
mod store;

pub(crate) use append::{Audited, append, append_all, insertion};
