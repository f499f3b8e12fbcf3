//! The store port of fields.

use std::sync::Arc;

use async_trait::async_trait;

use super::{
    ChangeFieldOutcome, Directory, Field, FieldChange, FieldLimits, FieldValue, ValuesQuery,
};
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
    /// The company has the maximum number of filterable fields.
    TooManyFilterable,
}

/// Stores the fields of all companies.
///
/// Fields are never deleted, and their keys and types never change. The rest may be cached for less than a second.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait FieldStore: Send + Sync {
    /// Stores a new field after the existing ones, unless its key is taken (compared exactly), the directory already has
    /// the maximum number of fields in use or of filterable ones, or [`MAX_FIELDS_EVER`](super::MAX_FIELDS_EVER) fields
    /// in all. A taken key is reported before a full directory.
    async fn create(
        &self,
        by: Author,
        field: Field,
        limits: FieldLimits,
        at: Timestamp,
    ) -> Result<CreateFieldOutcome, StoreError>;

    /// Changes a field as [`FieldChange::decide`] determines. Concurrent calls never exceed the limits.
    ///
    /// A store may make a field that is [`Filterable::Building`](super::Filterable) filterable later. Lists by it are
    /// correct as soon as it is [`Filterable::Yes`](super::Filterable), regardless of concurrent writes.
    async fn change_field(
        &self,
        by: Author,
        id: FieldId,
        change: FieldChange,
        limits: FieldLimits,
        at: Timestamp,
    ) -> Result<ChangeFieldOutcome, StoreError>;

    /// All fields of the company, including those that other instances created, oldest first.
    async fn list(&self, company: CompanyId) -> Result<Arc<Directory>, StoreError>;

    /// The company's fields as they were less than a second ago, if all of `keys` were among them, otherwise as
    /// [`FieldStore::list`]. A store without a cache need not implement it.
    // mockall needs a name for the lifetime.
    async fn directory<'a>(
        &self,
        company: CompanyId,
        keys: &[&'a str],
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
