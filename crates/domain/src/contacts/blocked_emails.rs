//! Emails of erased people that may not come back. Only a keyed hash of each is stored.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::ErasureStore;
use crate::access::CallerCompany;
use crate::email::Email;
use crate::ids::{CompanyId, WebhookSecretId};
use crate::ports::{Ids, Randomness, StoreError};
use crate::webhooks::{Secret, Vault, VaultError, hmac_sha256};

/// The keyed hash of an email's identity in a company.
pub type EmailDigest = [u8; 32];

/// The key of the hashes. Its `Debug` output does not contain it.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockKey(Secret);

impl fmt::Debug for BlockKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BlockKey")
    }
}

impl BlockKey {
    /// The keyed hash of an email's identity.
    #[must_use]
    pub fn digest(&self, company: CompanyId, identity: &str) -> EmailDigest {
        let company = company.uuid();
        hmac_sha256(self.0.reveal().as_bytes(), &[company.as_bytes(), identity.as_bytes()])
    }
}

/// Looks up blocked emails. The database has one key for their hashes, which is sealed there.
pub struct BlockedEmails {
    store: Arc<dyn ErasureStore>,
    vault: Arc<dyn Vault>,
    ids: Arc<dyn Ids>,
    randomness: Arc<dyn Randomness>,
    key: OnceLock<BlockKey>,
}

impl BlockedEmails {
    /// Looks up the emails that this store blocks.
    #[must_use]
    pub fn new(
        store: Arc<dyn ErasureStore>,
        vault: Arc<dyn Vault>,
        ids: Arc<dyn Ids>,
        randomness: Arc<dyn Randomness>,
    ) -> Self {
        Self { store, vault, ids, randomness, key: OnceLock::new() }
    }

    /// The key. The first call for a database creates it.
    pub(super) async fn key(&self) -> Result<BlockKey, StoreError> {
        if let Some(key) = self.key.get() {
            return Ok(key.clone());
        }
        let (id, sealed) = if let Some(stored) = self.store.block_key().await? {
            stored
        } else {
            let id = WebhookSecretId::new(self.ids.next());
            let new = Secret::from_random(self.randomness.bytes());
            let sealed = self.vault.seal(id, &new).map_err(failed)?;
            self.store.keep_block_key(id, sealed).await?
        };
        let key = BlockKey(self.vault.open(id, &sealed).map_err(failed)?);
        Ok(self.key.get_or_init(|| key).clone())
    }

    /// The indexes of the blocked emails among these. A company without blocked emails needs no look-up.
    pub(super) async fn among(
        &self,
        company: &CallerCompany,
        emails: &[&Email],
    ) -> Result<HashSet<usize>, StoreError> {
        if company.has_blocked_emails {
            self.among_now(company.id, emails).await
        } else {
            Ok(HashSet::new())
        }
    }

    /// The same, whatever is known of the company.
    pub(super) async fn among_now(
        &self,
        company: CompanyId,
        emails: &[&Email],
    ) -> Result<HashSet<usize>, StoreError> {
        let key = self.key().await?;
        let digests: Vec<EmailDigest> =
            emails.iter().map(|email| key.digest(company, email.identity())).collect();
        let blocked = self.store.blocked(company, digests.clone(), key).await?;
        let is_blocked = digests.iter().enumerate().filter(|(_, it)| blocked.contains(*it));
        Ok(is_blocked.map(|(place, _)| place).collect())
    }
}

fn failed(error: VaultError) -> StoreError {
    StoreError::Failed(Box::new(error))
}
