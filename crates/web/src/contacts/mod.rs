//! The contacts of the caller's company.

pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod delete_many;
pub(crate) mod erase;
pub(crate) mod everything;
pub(crate) mod export;
mod export_format;
pub(crate) mod export_stream;
mod filter;
pub(crate) mod json;
pub(crate) mod list;
mod list_query;
pub(crate) mod look_up;
pub(crate) mod read;
pub(crate) mod read_values;
pub(crate) mod replace_values;
pub(crate) mod request;
pub(crate) mod shapes;
pub(crate) mod unblock;
pub(crate) mod upsert_many;
