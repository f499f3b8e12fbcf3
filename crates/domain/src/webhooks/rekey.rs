//! Sealing what was sealed under older master keys under the newest one.

use async_trait::async_trait;

use super::{Sealed, Vault, VaultError};
use crate::ids::WebhookSecretId;
use crate::ports::StoreError;

/// How many secrets are sealed anew in one transaction.
const BATCH: u32 = 500;

/// A sealed secret that takes the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resealed {
    /// Its row.
    pub id: WebhookSecretId,
    /// What the row holds until then.
    pub before: Sealed,
    /// What it holds from then on.
    pub after: Sealed,
}

/// Keeps the sealed secrets of all companies, without being able to read them.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SecretStore: Send + Sync {
    /// The ids of all master keys under which a secret is sealed; none when the schema is not there yet.
    async fn key_ids(&self) -> Result<Vec<String>, StoreError>;

    /// Up to `limit` secrets that are sealed under another key than this one, in the order of their ids, behind `after`.
    async fn sealed_under_others(
        &self,
        key_id: String,
        after: Option<WebhookSecretId>,
        limit: u32,
    ) -> Result<Vec<(WebhookSecretId, Sealed)>, StoreError>;

    /// Replaces these in one transaction; one that is gone, or was replaced meanwhile, is left alone. Returns how many
    /// were replaced.
    async fn reseal(&self, secrets: Vec<Resealed>) -> Result<u64, StoreError>;
}

/// What [`rekey`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rekeyed {
    /// How many secrets are sealed under the newest key now.
    pub resealed: u64,
    /// How many do not open with any of the keys, and stay as they are.
    pub unopened: u64,
}

/// Why secrets could not be sealed anew.
#[derive(Debug, thiserror::Error)]
pub enum RekeyError {
    /// The store's error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The vault's error.
    #[error(transparent)]
    Vault(#[from] VaultError),
}

/// Seals every secret that is sealed under another key than the vault's newest one, in batches. It can be interrupted and
/// run again, also several times at once and beside a running service; doing it again changes nothing.
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
