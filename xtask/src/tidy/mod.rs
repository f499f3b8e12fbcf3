//! `cargo xtask tidy`: checks that neither the compiler nor clippy makes.
//!
//! Each module is one kind of rule; all but `files` and `run` work only on names and text.

mod files;
mod finding;
mod links;
mod manifests;
mod migrations;
mod names;
mod run;
mod rust;
mod templates;
mod text;

pub(crate) use self::run::run;
