//! Extractors: they decode requests.

mod arrival;
mod body;
mod caller;
mod conditions;
mod id;
mod json;
pub(crate) mod query;
mod still_allowed;

pub(crate) use arrival::{Arrival, Arrived, party};
pub(crate) use body::{ASSET_BODY, BULK_BODY, Body, OptionalBody, STANDARD_BODY};
pub(crate) use caller::{CallPorts, Caller, CallerOf, Holder, call_of};
pub(crate) use conditions::{Conditions, tag};
pub(crate) use id::PathId;
pub(crate) use json::Object;
pub(crate) use query::Asked;
pub(crate) use still_allowed::{StillAllowed, TokenOfCall};
