//! `GET /audit`

mod actions;
mod list;
mod sample;
mod sessions;
