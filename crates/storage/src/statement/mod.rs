//! A statement as text with bound values, prepared once for each connection.
//!
//! Diesel's `sql_query` is never cached, so its text is parsed and planned at every call. The text of this type is
//! made of constants, so its prepared form can be cached.

mod bind;
mod fragment;
mod template;
mod text;

pub(crate) use bind::Bind;
pub(crate) use template::{check_places, check_template, sql};
pub(crate) use text::{Statement, joined, statement};
