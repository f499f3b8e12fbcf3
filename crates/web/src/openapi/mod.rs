//! The OpenAPI 3.1 document: one row for each operation, its schemas from the wire shapes, its limits from the domain, its
//! error codes from the table of errors.

mod access;
mod access_examples;
mod access_schemas;
pub(crate) mod document;
mod events;
mod examples;
mod headers;
mod operations;
pub(crate) mod page;
mod parameters;
mod responses;
mod row;
mod schemas;
pub(crate) mod serve;
pub(crate) mod served;
mod shapes;
mod success;
mod sync;
mod sync_examples;
mod sync_schemas;
pub(crate) mod values;
mod webhooks;
mod webhooks_examples;
mod webhooks_schemas;
