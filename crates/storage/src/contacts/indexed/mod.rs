//! The indexed values of the fields by which contacts can be filtered and sorted.
//!
//! A write of contacts writes them in its transaction, if the company has such fields. For contacts that existed
//! before, a background task writes them in batches. It begins when every running write knows of the field.

mod build;
mod delete;
mod naming;
mod rows;
mod settle;
mod statistics;
mod task;
mod todo;
mod write;

pub(crate) use naming::{FieldNaming, of_field, with_field_ids};
pub use task::ValueIndexing;
pub(super) use write::{Written, forget, remove_all, write};
