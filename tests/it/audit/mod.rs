//! `GET /audit`

mod actions;
mod every_call;
mod every_form;
mod list;
mod sample;
mod sessions;
