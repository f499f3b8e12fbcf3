//! Sealing of secrets, so that the database alone reveals none.

use crate::ids::WebhookSecretId;

use super::Secret;

/// A secret that only the [`Vault`] can open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The id of the master key that sealed it.
    pub key_id: String,
    /// The stored form.
    pub bytes: Vec<u8>,
}

/// Why a vault failed. The error contains no part of the secret.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The master key is not among those that the operator gave.
    #[error("no master key has the id {0}")]
    UnknownKey(String),
    /// It was not sealed under this id with this key, or was changed since.
    #[error("a sealed secret does not open")]
    Broken,
    /// The cipher failed.
    #[error("a secret cannot be sealed")]
    Failed,
}

/// Seals secrets and opens them.
///
/// An implementation authenticates the id with the secret: a secret that was sealed for one id cannot be opened for
/// another.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait Vault: Send + Sync {
    /// The id of the master key that seals; `None` without a key.
    fn sealing_key(&self) -> Option<String>;

    /// Seals the secret that will be stored under this id.
    fn seal(&self, id: WebhookSecretId, plain: &Secret) -> Result<Sealed, VaultError>;

    /// Opens the secret that is stored under this id.
    fn open(&self, id: WebhookSecretId, sealed: &Sealed) -> Result<Secret, VaultError>;
}
