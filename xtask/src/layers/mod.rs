//! `cargo xtask layers`: dependencies between crates point at the domain.
//!
//! Reading order: `rules` defines what is allowed, `read` gets the dependencies from cargo, `check` compares.

mod check;
mod read;
mod rules;

pub(crate) use self::read::run;
