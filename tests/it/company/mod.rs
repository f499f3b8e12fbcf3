//! The operator's commands for a whole company.

pub(crate) mod busy;
mod delete;
mod export;
