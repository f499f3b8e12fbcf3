//! A throwaway PostgreSQL: found or installed, started for one run, removed afterwards.
//!
//! Reading order: [`cluster`] is the interface. `binaries` finds a server, `install` installs one, `account` chooses
//! the account, `scratch` the directory, which is in `memory` for tests, and `server` creates, starts and stops it.

mod account;
mod binaries;
mod cluster;
mod install;
mod memory;
mod scratch;
mod server;

pub(crate) use self::cluster::ThrowawayPostgres;
pub(crate) use self::server::{Durability, Stop};
