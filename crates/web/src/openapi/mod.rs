//! The OpenAPI 3.1 document. It is built from the endpoints: their shapes refer to the schemas, the limits are the
//! domain's, the error codes those of the table of errors. `older` rewrites it as OpenAPI 3.0.

mod deprecated;
mod document;
mod envelopes;
mod events;
mod headers;
mod older;
mod older_schema;
mod operation;
pub(crate) mod page;
pub(crate) mod parameters;
mod response;
mod responses;
pub(crate) mod serve;
pub(crate) mod served;
pub(crate) mod shape;
pub(crate) mod success;
pub(crate) mod values;
pub(crate) mod version;
mod write;
