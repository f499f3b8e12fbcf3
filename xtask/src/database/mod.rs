//! A throwaway PostgreSQL: found or installed, started for one run, removed afterwards.
//!
//! Reading order: [`cluster`] is what others use; it asks `binaries` which server
//! there is, `install` to get one, `account` who may run it, `scratch` where its files go, and
//! `server` to create, start and stop it.

mod account;
mod binaries;
mod cluster;
mod install;
mod scratch;
mod server;

pub(crate) use self::cluster::ThrowawayPostgres;
pub(crate) use self::server::{Durability, Stop};
