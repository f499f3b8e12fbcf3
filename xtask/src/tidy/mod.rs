//! `cargo xtask tidy`: what neither the compiler nor clippy looks at.
//!
//! Each module is one kind of rule; all but `files` and `run` work on names and text alone.

mod files;
mod finding;
mod links;
mod manifests;
mod migrations;
mod names;
mod run;
mod rust;
mod text;

pub(crate) use self::run::run;
