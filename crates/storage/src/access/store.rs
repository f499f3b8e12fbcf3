//! The access port.

use std::sync::Arc;

use async_trait::async_trait;

use contact_hub_domain::access::{
    AccessStore, ApiKey, Company, CreateUserOutcome, KeyHolder, TokenHash, User,
};
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::rows::{HolderRow, KeyRow};
use super::writes;
use crate::Storage;
use crate::statement::statement;

#[async_trait]
impl AccessStore for Storage {
    async fn holder(&self, hash: TokenHash) -> Result<Option<Arc<KeyHolder>>, StoreError> {
        let look_up = self.read(move |connection| {
            let text = "SELECT api_keys.id AS key_id, api_keys.expires_at, users.id AS user_id, users.permissions, \
                 companies.id AS company_id, companies.directory_id, companies.product_access, \
                 companies.allowed_domains FROM api_keys JOIN users ON users.id = api_keys.user_id \
                 JOIN companies ON companies.id = users.company_id \
                 WHERE api_keys.token_hash = ? AND api_keys.revoked_at IS NULL";
            let row: Option<HolderRow> = connection.first(statement(text).bind(hash.bytes().as_slice()))?;
            row.map(|row| row.into_holder().map(Arc::new)).transpose()
        });
        self.holders().get(hash, look_up).await
    }

    async fn create_company(&self, company: Company) -> Result<(), StoreError> {
        self.write(move |connection| writes::insert_company(connection, &company)).await
    }

    async fn create_user(&self, user: User) -> Result<CreateUserOutcome, StoreError> {
        self.write(move |connection| writes::create_user(connection, &user)).await
    }

    async fn create_key(
        &self,
        company: Option<CompanyId>,
        key: ApiKey,
        hash: TokenHash,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| writes::create_key(connection, company, &key, hash)).await
    }

    async fn revoke_key(
        &self,
        company: Option<CompanyId>,
        id: ApiKeyId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let known =
            self.write(move |connection| writes::revoke_key(connection, company, id, at)).await?;
        self.holders().forget();
        Ok(known)
    }

    async fn bootstrap(
        &self,
        company: Company,
        owner: User,
        key: ApiKey,
        hash: TokenHash,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| writes::bootstrap(connection, &company, &owner, &key, hash))
            .await
    }

    async fn record_use(&self, uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError> {
        self.write(move |connection| writes::record_use(connection, &uses)).await
    }

    async fn keys_of(&self, user: UserId) -> Result<Vec<ApiKey>, StoreError> {
        self.read(move |connection| {
            let text = "SELECT id, user_id, name, token_start, expires_at, revoked_at, last_used_at, created_at \
                 FROM api_keys WHERE user_id = ? ORDER BY created_at, id";
            let rows: Vec<KeyRow> = connection.rows(statement(text).bind(user))?;
            Ok(rows.into_iter().map(ApiKey::from).collect())
        })
        .await
    }
}
