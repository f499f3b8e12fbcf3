//! The port of erasures.

use std::sync::Arc;

use async_trait::async_trait;

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::contacts::{
    BlockKey, DeletedContact, EmailDigest, ErasureStore, Known, WantedDeleted,
};
use contact_hub_domain::ids::{CompanyId, ContactId, WebhookSecretId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::Sealed;

use super::erase::Erasure;
use super::{blocked_emails, erase, known, overdue, restore};
use crate::Storage;
use crate::audit;
use crate::failure::Failure;
use crate::idempotency::{self, Naming};
use crate::recorded::Recorded;
use crate::units::{Reading, Writing};

#[async_trait]
impl ErasureStore for Storage {
    async fn erase(
        &self,
        by: Author,
        id: ContactId,
        block: Option<BlockKey>,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        if let Some(key) = &block {
            self.known_block_key().get_or_init(|| key.clone());
        }
        let naming = self.naming(by.company, &[id], at).await?;
        let erased =
            self.erase_one(by, id, Erasure { naming, block, only_overdue: false }, at).await?;
        if erased {
            self.after_erasures().await;
        }
        Ok(erased)
    }

    async fn erase_overdue(
        &self,
        company: CompanyId,
        ids: Vec<ContactId>,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let naming = self.naming(company, &ids, now).await?;
        let what = Erasure { naming, block: None, only_overdue: true };
        let (mut erased, mut outcome, mut is_unavailable) = (0, Ok(()), false);
        for id in ids {
            match self.erase_one(company.into(), id, what.clone(), now).await {
                Ok(is_erased) => {
                    erased += u64::from(is_erased);
                    is_unavailable = false;
                }
                // One may be due to the contact, whose erasure takes too long. Two in a row are due to the database.
                Err(error @ StoreError::Unavailable(_)) if is_unavailable => {
                    outcome = Err(error);
                    break;
                }
                Err(error) => {
                    tracing::error!(%company, contact = %id, ?error, "an overdue contact was not erased; the next run retries");
                    is_unavailable = matches!(error, StoreError::Unavailable(_));
                }
            }
        }
        if erased > 0 {
            self.after_erasures().await;
        }
        outcome.map(|()| erased)
    }

    async fn next_erasing(
        &self,
        after: Option<CompanyId>,
    ) -> Result<Option<CompanyId>, StoreError> {
        self.read(Reading::Few, move |connection| overdue::next_erasing(connection, after)).await
    }

    async fn deleted(
        &self,
        company: CompanyId,
        wanted: WantedDeleted,
    ) -> Result<Vec<DeletedContact>, StoreError> {
        self.read(Reading::Many(company), move |connection| {
            restore::deleted(connection, company, &wanted)
        })
        .await
    }

    async fn restore(
        &self,
        by: Author,
        ids: Vec<ContactId>,
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        let (company, storage) = (by.company, self.clone());
        self.write_deferring(company, Writing::Many(company), move |connection| {
            restore::restore(&storage, connection, &by, &ids, at)
        })
        .await
    }

    async fn overdue(
        &self,
        company: CompanyId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<ContactId>, StoreError> {
        self.read(Reading::For(company), move |connection| {
            overdue::overdue(connection, company, now, limit)
        })
        .await
    }

    async fn known(
        &self,
        company: CompanyId,
        id: ContactId,
        limit: u32,
    ) -> Result<Option<Known>, StoreError> {
        let storage = self.clone();
        self.read(Reading::Many(company), move |connection| {
            known::known(&storage, connection, company, id, limit)
        })
        .await
    }

    async fn blocked(
        &self,
        company: CompanyId,
        digests: Vec<EmailDigest>,
        key: BlockKey,
    ) -> Result<Vec<EmailDigest>, StoreError> {
        self.known_block_key().get_or_init(|| key);
        self.read(Reading::For(company), move |connection| {
            blocked_emails::blocked(connection, company, &digests)
        })
        .await
    }

    async fn unblock(
        &self,
        by: Author,
        digest: EmailDigest,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(by.company, move |connection| {
            blocked_emails::unblock(connection, by.company, &digest)?;
            let entry = NewAuditEntry::of_many(&by, AuditAction::EmailUnblocked, at, &[]);
            Ok(Recorded::by(audit::append(connection, &entry)?, ()))
        })
        .await
    }

    async fn block_key(&self) -> Result<Option<(WebhookSecretId, Sealed)>, StoreError> {
        self.read(Reading::Few, blocked_emails::key).await
    }

    async fn keep_block_key(
        &self,
        id: WebhookSecretId,
        sealed: Sealed,
    ) -> Result<(WebhookSecretId, Sealed), StoreError> {
        self.write_unrecorded(Writing::Few, move |connection| {
            blocked_emails::keep_key(connection, id, &sealed)?;
            let stored = blocked_emails::key(connection)?;
            stored.ok_or_else(|| Failure::Corrupt("blocked_email_key is empty".to_owned()))
        })
        .await
    }
}

impl Storage {
    /// The kept answers that name these contacts.
    async fn naming(
        &self,
        company: CompanyId,
        ids: &[ContactId],
        now: Timestamp,
    ) -> Result<Arc<Naming>, StoreError> {
        let ids = ids.to_vec();
        let names = self
            .read(Reading::For(company), move |connection| erase::names(connection, company, &ids))
            .await?;
        Ok(Arc::new(idempotency::naming(self, company, names, now).await?))
    }

    async fn erase_one(
        &self,
        by: Author,
        id: ContactId,
        what: Erasure,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let (company, storage) = (by.company, self.clone());
        self.apply_most_counts(company).await?;
        self.write(Writing::Many(company), move |connection| {
            erase::erase(&storage, connection, &by, id, &what, at)
        })
        .await
    }

    /// Lets what was erased disappear from the caches and from SQLite's write-ahead log. The write of a call with an
    /// idempotency key is committed together with its answer.
    async fn after_erasures(&self) {
        let is_keyed = self.call().is_some();
        self.once_committed(move |storage| {
            storage.holders().forget();
            if is_keyed {
                let storage = storage.clone();
                let runtime = storage.dispatch().runtime.clone();
                runtime.spawn(async move { storage.empty_log().await });
            }
        });
        if !is_keyed {
            self.empty_log().await;
        }
    }
}
