//! The contacts.

mod create;
