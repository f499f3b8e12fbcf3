//! Speaks `OpenID` Connect with identity providers.
//!
//! A company's provider is dialled as its webhooks are: only at addresses that the policy permits. The operator's own may
//! have any address. Both need https, except on this machine.

mod claims;
mod client;
mod discovery;
mod exchange;
mod kinds;

pub use client::HttpOidcClient;
