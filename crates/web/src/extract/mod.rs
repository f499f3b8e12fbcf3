//! From bytes to what a request gave.

mod body;
mod caller;
mod id;
mod json;

pub(crate) use body::{Body, STANDARD_BODY};
pub(crate) use caller::Caller;
pub(crate) use id::PathId;
pub(crate) use json::Object;
