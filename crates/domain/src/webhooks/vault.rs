//! How a secret rests in a store: sealed, so that whoever reads the database learns nothing.

use crate::ids::WebhookSecretId;

use super::Secret;

/// A secret that only the [`Vault`] can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Which master key sealed it, so that the master key can be changed.
    pub key_id: String,
    /// What a store keeps.
    pub bytes: Vec<u8>,
}

/// Why a vault could not do its work. Nothing of the secret is in it.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The master key is not among those that the operator gave.
    #[error("no master key has the id {0}")]
    UnknownKey(String),
    /// It was not sealed under this id by this key, or was changed since.
    #[error("a sealed secret does not open")]
    Broken,
    /// The cipher refused to work.
    #[error("a secret cannot be sealed")]
    Failed,
}

/// Seals secrets and opens them.
///
/// An implementation authenticates the id with the secret: what was sealed for one id never opens for another.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Vault: Send + Sync {
    /// The id of the master key under which it seals; `None` when it has no key.
    fn sealing_key(&self) -> Option<String>;

    /// Seals the secret that will be stored under this id.
    fn seal(&self, id: WebhookSecretId, plain: &Secret) -> Result<Sealed, VaultError>;

    /// Opens the secret that is stored under this id.
    fn open(&self, id: WebhookSecretId, sealed: &Sealed) -> Result<Secret, VaultError>;
}
