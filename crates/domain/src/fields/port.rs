//! The store port of fields.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Directory, Field, FieldValue, ValuesQuery};
use crate::author::Author;
use crate::ids::{CompanyId, FieldId};
use crate::page::Page;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// The outcome of creating a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateFieldOutcome {
    /// It is stored.
    Created,
    /// This field already has the key.
    KeyTaken(Field),
    /// The directory has the maximum number of fields.
    Full,
}

/// Stores the fields of all companies.
///
/// Fields never change and are never deleted, so an implementation may cache them.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait FieldStore: Send + Sync {
    /// Stores a new field after the existing ones, unless its key is taken (compared exactly) or the directory already
    /// has `max` fields. A taken key is reported before a full directory.
    async fn create(
        &self,
        by: Author,
        field: Field,
        max: usize,
        at: Timestamp,
    ) -> Result<CreateFieldOutcome, StoreError>;

    /// All fields of the company, including those that other instances created, oldest first.
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
    /// [`FieldValue::sort_key`], with the exact total, read at one moment; `None` when the company has no such field.
    async fn list_values(
        &self,
        company: CompanyId,
        field: FieldId,
        query: ValuesQuery,
    ) -> Result<Option<Page<FieldValue>>, StoreError>;
}
