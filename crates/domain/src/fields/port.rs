//! What the fields capability asks of a store.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Directory, Field, FieldValue, ValuesQuery};
use crate::ids::{CompanyId, FieldId};
use crate::page::Page;
use crate::ports::StoreError;

/// What came of creating a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateFieldOutcome {
    /// It is stored.
    Created,
    /// This field of the directory has the key already.
    KeyTaken(Field),
    /// The directory holds as many fields as it may.
    Full,
}

/// Keeps the fields of every company.
///
/// Fields never change and are never deleted. An implementation may rely on it and remember them.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait FieldStore: Send + Sync {
    /// Stores a new field after those that the company has, unless its key is taken (compared exactly) or the directory
    /// already holds `max` fields. A taken key is told before a full directory.
    async fn create(
        &self,
        company: CompanyId,
        field: Field,
        max: usize,
    ) -> Result<CreateFieldOutcome, StoreError>;

    /// Every field of the company at this moment, those created by other instances included, oldest first.
    async fn list(&self, company: CompanyId) -> Result<Arc<Directory>, StoreError>;

    /// The company's fields from a cache if it has all of `keys`, otherwise as [`FieldStore::list`]. A store without a
    /// cache need not implement it.
    async fn directory(
        &self,
        company: CompanyId,
        keys: &[String],
    ) -> Result<Arc<Directory>, StoreError> {
        let _ = keys;
        self.list(company).await
    }

    /// A page of the distinct values that active contacts of the company have for a field, in the order of
    /// [`FieldValue::sort_key`], with the exact number of all of them, as of one moment; `None` when the company has no
    /// such field.
    async fn list_values(
        &self,
        company: CompanyId,
        field: FieldId,
        query: ValuesQuery,
    ) -> Result<Option<Page<FieldValue>>, StoreError>;
}
