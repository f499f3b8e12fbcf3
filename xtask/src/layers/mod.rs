//! `cargo xtask layers`: the arrows between crates point at the domain, and nowhere else.
//!
//! Reading order: `rules` says what is allowed, `check` compares, `read` asks cargo what is.

mod check;
mod read;
mod rules;

pub(crate) use self::read::run;
