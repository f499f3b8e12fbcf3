//! The access port.

use std::sync::Arc;

use async_trait::async_trait;

use contact_hub_domain::access::{
    AccessStore, ApiKey, ChangeUserOutcome, Company, CompanyChange, CompanyKey, CreateKeyOutcome,
    CreateUserOutcome, DeleteUserOutcome, KeyHolder, Link, OfUser, TokenHash, User, UserDraft,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::violations::Violations;

use super::audit::author_for;
use super::{companies, keys, users, writes};
use crate::Storage;
use crate::audit;
use crate::dialect::Lock;
use crate::recorded::Recorded;
use crate::units::{Reading, Writing};

/// How many last uses of keys one transaction writes. A key that is changed meanwhile waits for it.
const USES_AT_ONCE: usize = 500;

#[async_trait]
impl AccessStore for Storage {
    async fn holder(&self, hash: TokenHash) -> Result<Option<Arc<KeyHolder>>, StoreError> {
        if let Some(known) = self.holders().known(&hash).await {
            return Ok(known);
        }
        let look_up = self.read(Reading::Control, move |connection| keys::holder(connection, hash));
        // Most calls need no look-up, and then no memory for its future.
        Box::pin(self.holders().get(hash, look_up)).await
    }

    async fn create_company(&self, company: Company) -> Result<(), StoreError> {
        self.write(Writing::Few, move |connection| writes::create_company(connection, &company))
            .await
    }

    async fn create_user(
        &self,
        by: Author,
        user: User,
        max: usize,
    ) -> Result<CreateUserOutcome, StoreError> {
        self.write(user.company_id, move |connection| {
            let outcome = writes::create_user(connection, &user, max)?;
            if outcome != CreateUserOutcome::Created {
                return Ok(Recorded::unchanged(outcome));
            }
            let (id, at) = (user.id.uuid(), user.created_at);
            let entry = NewAuditEntry::of(&by, AuditAction::UserCreated, id, at);
            let entry = audit::append(connection, &entry.with_new(&user))?;
            Ok(Recorded::by(entry, outcome))
        })
        .await
    }

    async fn create_user_with_key(
        &self,
        by: Author,
        user: User,
        max: usize,
        (key, hash): (ApiKey, TokenHash),
    ) -> Result<CreateUserOutcome, StoreError> {
        self.write(user.company_id, move |connection| {
            let outcome = writes::create_user(connection, &user, max)?;
            if outcome != CreateUserOutcome::Created {
                return Ok(Recorded::unchanged(outcome));
            }
            writes::insert_key(connection, &key, hash)?;
            let entry = |action, id, at| NewAuditEntry::of(&by, action, id, at);
            let entries = [
                entry(AuditAction::UserCreated, user.id.uuid(), user.created_at).with_new(&user),
                entry(AuditAction::KeyCreated, key.id.uuid(), key.created_at).with_new(&key),
            ];
            let entries = audit::append_all(connection, user.company_id, &entries)?;
            Ok(Recorded::by(entries, outcome))
        })
        .await
    }

    async fn create_key(
        &self,
        by: Option<Author>,
        key: ApiKey,
        hash: TokenHash,
        max: usize,
    ) -> Result<CreateKeyOutcome, StoreError> {
        self.write(Writing::Few, move |connection| {
            let company = by.as_ref().map(|by| by.company);
            let outcome = writes::create_key(connection, company, &key, hash, max)?;
            if outcome != CreateKeyOutcome::Created {
                return Ok(Recorded::unchanged(outcome));
            }
            let by = author_for(connection, by.as_ref(), key.user_id)?;
            let (id, at) = (key.id.uuid(), key.created_at);
            let entry = NewAuditEntry::of(&by, AuditAction::KeyCreated, id, at);
            let entry = audit::append(connection, &entry.with_new(&key))?;
            Ok(Recorded::by(entry, outcome))
        })
        .await
    }

    async fn revoke_key(
        &self,
        by: Option<Author>,
        id: ApiKeyId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let known = self
            .write(Writing::Few, move |connection| {
                let company = by.as_ref().map(|by| by.company);
                let Some(user) = writes::revoke_key(connection, company, id, at)? else {
                    return Ok(Recorded::unchanged(writes::has_key(connection, company, id)?));
                };
                let by = author_for(connection, by.as_ref(), user)?;
                let entry = NewAuditEntry::of(&by, AuditAction::KeyRevoked, id.uuid(), at);
                Ok(Recorded::by(audit::append(connection, &entry)?, true))
            })
            .await?;
        self.once_committed(|storage| storage.holders().forget());
        Ok(known)
    }

    async fn bootstrap(
        &self,
        company: Company,
        owner: User,
        key: (ApiKey, TokenHash),
        link: (Link, TokenHash),
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            writes::bootstrap(connection, &company, &owner, &key, &link)
        })
        .await
    }

    async fn record_use(&self, mut uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError> {
        // All instances use one order, so that they wait for each other in place of blocking each other.
        uses.sort_unstable();
        for part in uses.chunks(USES_AT_ONCE) {
            let part = part.to_vec();
            let unit = move |connection: &mut _| writes::record_use(connection, &part);
            self.write_unrecorded(Writing::Few, unit).await?;
        }
        Ok(())
    }

    async fn keys_of(&self, user: UserId) -> Result<Vec<ApiKey>, StoreError> {
        self.read(Reading::Few, move |connection| keys::of_user(connection, user)).await
    }

    async fn list_users(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<User>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            users::list(connection, company, page)
        })
        .await
    }

    async fn read_user(&self, company: CompanyId, id: UserId) -> Result<Option<User>, StoreError> {
        self.read(Reading::For(company), move |connection| users::find(connection, company, id))
            .await
    }

    async fn change_user(
        &self,
        by: Author,
        id: UserId,
        change: UserDraft,
        at: Timestamp,
    ) -> Result<ChangeUserOutcome, StoreError> {
        let changed = self
            .write(by.company, move |connection| users::change(connection, &by, id, &change, at))
            .await?;
        self.once_committed(|storage| storage.holders().forget());
        Ok(changed)
    }

    async fn delete_user(
        &self,
        by: Author,
        id: UserId,
        at: Timestamp,
    ) -> Result<DeleteUserOutcome, StoreError> {
        let company = by.company;
        let (deleted, may_have_more) =
            self.write(company, move |connection| users::delete(connection, &by, id, at)).await?;
        self.once_committed(move |storage| {
            storage.holders().forget();
            if may_have_more {
                storage.delete_rest_of_answers(company, id);
            }
        });
        Ok(deleted)
    }

    async fn list_keys(
        &self,
        company: CompanyId,
        user: UserId,
        page: PageRequest,
    ) -> Result<Option<Page<ApiKey>>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            keys::list(connection, company, user, page)
        })
        .await
    }

    async fn list_company_keys(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<CompanyKey>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            keys::list_of_company(connection, company, page)
        })
        .await
    }

    async fn read_key(
        &self,
        company: CompanyId,
        user: UserId,
        id: ApiKeyId,
    ) -> Result<OfUser<ApiKey>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            keys::read(connection, company, user, id)
        })
        .await
    }

    async fn revoke_key_of(
        &self,
        by: Author,
        user: UserId,
        id: ApiKeyId,
        at: Timestamp,
    ) -> Result<OfUser<()>, StoreError> {
        let revoked = self
            .write(by.company, move |connection| keys::revoke(connection, &by, user, id, at))
            .await?;
        self.once_committed(|storage| storage.holders().forget());
        Ok(revoked)
    }

    async fn list_companies(
        &self,
        after: Option<CompanyId>,
        limit: u32,
    ) -> Result<Vec<Company>, StoreError> {
        self.read(Reading::Few, move |connection| companies::list(connection, after, limit)).await
    }

    async fn read_company(&self, id: CompanyId) -> Result<Option<Company>, StoreError> {
        self.read(Reading::For(id), move |connection| companies::find(connection, id, Lock::None))
            .await
    }

    async fn change_company(
        &self,
        by: Author,
        change: CompanyChange,
        at: Timestamp,
    ) -> Result<Option<Result<Company, Violations>>, StoreError> {
        let changed = self
            .write(Writing::Few, move |connection| companies::change(connection, &by, &change, at))
            .await?;
        self.once_committed(|storage| storage.holders().forget());
        Ok(changed)
    }
}
