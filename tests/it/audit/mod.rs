//! `GET /audit`

mod actions;
mod every_call;
mod every_form;
mod list;
pub(crate) mod sample;
mod sessions;
