//! `cargo xtask tidy`: checks that are not part of the compiler or clippy.
//!
//! Each module is one kind of rule; all but `files` and `run` work only on names and text.

mod book;
mod files;
mod finding;
mod imports;
mod links;
mod manifests;
mod migrations;
mod names;
mod run;
mod rust;
mod templates;
mod text;

pub(crate) use self::run::run;
