//! Connections: how they are opened, kept in pools and found to be lost.

pub(crate) mod bounded;
pub(crate) mod file;
pub(crate) mod interrupt;
pub(crate) mod lost_sessions;
pub(crate) mod manager;
pub(crate) mod opener;
mod places;
pub(crate) mod pool;
pub(crate) mod pools;
mod private_file;
pub(crate) mod server;
pub(crate) mod session;
mod tls;
pub(crate) mod url;
