//! Seals all secrets under the newest master key.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::{Sealed, Vault, VaultError};
use crate::ids::WebhookSecretId;
use crate::ports::StoreError;

/// How many secrets are resealed in one transaction.
const BATCH: u32 = 500;

/// A resealed secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resealed {
    /// Its row.
    pub id: WebhookSecretId,
    /// The sealed secret before.
    pub before: Sealed,
    /// The sealed secret after.
    pub after: Sealed,
}

/// Stores the sealed secrets of all companies. It cannot read them.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SecretStore: Send + Sync {
    /// The ids of all master keys under which a secret is sealed; none when the schema is not there yet.
    async fn key_ids(&self) -> Result<Vec<String>, StoreError>;

    /// Up to `limit` secrets that are sealed under another key than this one, in the order of their ids, after `after`.
    async fn sealed_under_others(
        &self,
        key_id: String,
        after: Option<WebhookSecretId>,
        limit: u32,
    ) -> Result<Vec<(WebhookSecretId, Sealed)>, StoreError>;

    /// Replaces secrets in one transaction, except those that were deleted or changed in the meantime. Returns the
    /// number of replaced ones.
    async fn reseal(&self, secrets: Vec<Resealed>) -> Result<u64, StoreError>;
}

/// The result of [`rekey`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rekeyed {
    /// How many secrets are sealed under the newest key now.
    pub resealed: u64,
    /// How many cannot be opened with any key, and are unchanged.
    pub unopened: u64,
}

/// The result of [`try_secrets`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TriedSecrets {
    /// How many secrets open.
    pub opened: u64,
    /// How many are sealed under keys that the vault lacks, by the ids of the keys.
    pub without_key: BTreeMap<String, u64>,
    /// How many do not open although their key is there.
    pub broken: u64,
}

/// Why resealing failed.
#[derive(Debug, thiserror::Error)]
pub enum RekeyError {
    /// The store's error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The vault's error.
    #[error(transparent)]
    Vault(#[from] VaultError),
}

/// Seals every secret that is sealed under another key than the vault's newest one, in batches. It can be interrupted
/// and repeated, and may run several times at once and beside a running service.
pub async fn rekey(store: &dyn SecretStore, vault: &dyn Vault) -> Result<Rekeyed, RekeyError> {
    let key_id = vault.sealing_key().ok_or(VaultError::Failed)?;
    let (mut done, mut after) = (Rekeyed::default(), None);
    loop {
        let batch = store.sealed_under_others(key_id.clone(), after, BATCH).await?;
        let Some((last, _)) = batch.last() else { return Ok(done) };
        after = Some(*last);
        let mut resealed = Vec::with_capacity(batch.len());
        for (id, before) in batch {
            match vault.open(id, &before) {
                Ok(plain) => {
                    let after = vault.seal(id, &plain)?;
                    resealed.push(Resealed { id, before, after });
                }
                Err(_unknown_or_broken) => done.unopened += 1,
            }
        }
        if !resealed.is_empty() {
            done.resealed += store.reseal(resealed).await?;
        }
    }
}

/// Opens every secret, in batches, and forgets it.
pub async fn try_secrets(
    store: &dyn SecretStore,
    vault: &dyn Vault,
) -> Result<TriedSecrets, StoreError> {
    let (mut tried, mut after) = (TriedSecrets::default(), None);
    loop {
        // No key has an empty id, so these are all secrets.
        let batch = store.sealed_under_others(String::new(), after, BATCH).await?;
        let Some((last, _)) = batch.last() else { return Ok(tried) };
        after = Some(*last);
        for (id, sealed) in batch {
            match vault.open(id, &sealed) {
                Ok(_secret) => tried.opened += 1,
                Err(VaultError::UnknownKey(key)) => *tried.without_key.entry(key).or_default() += 1,
                Err(VaultError::Broken | VaultError::Failed) => tried.broken += 1,
            }
        }
    }
}
