//! TLS towards PostgreSQL, by rustls.
//!
//! libpq has TLS only with OpenSSL. Here libpq connects in plain to a local socket of this process, and a thread
//! forwards each connection to the server, encrypted. A [`Route`] decides by the parameters of the address whether a
//! connection needs that.

mod address;
mod authentication;
mod certificates;
mod dial;
mod error;
mod handshake;
mod host;
mod listener;
mod mode;
mod reason;
mod refusal;
mod relay;
mod route;
mod settings;
mod tunnel;
mod verifier;

pub use error::TlsError;
pub use route::{Route, RouteError, Way};
