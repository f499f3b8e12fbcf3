//! Webhooks: where events are sent, with which secret they are signed, and which addresses may be dialled.

mod address;
mod network;
mod payload_url;
mod secret;
mod signature;
mod vault;

pub use address::Guard;
pub use network::{IpNetwork, NotANetwork};
pub use payload_url::{MAX_PAYLOAD_URL, PayloadUrl, UrlPolicy};
pub use secret::{MAX_SECRET, MIN_SECRET, Secret};
pub use signature::signature_headers;
#[cfg(any(test, feature = "mocks"))]
pub use vault::MockVault;
pub use vault::{Sealed, Vault, VaultError};
