//! What a store of plain rows provides.

use crate::contacts::Existing;
use crate::fields::Field;
use crate::ids::{CompanyId, ContactId};
use crate::page::{Page, PageRequest};
use crate::ports::StoreError;

/// The result of a call of a store.
pub type Stored<T> = Result<T, StoreError>;

/// The rows of one company, within a transaction.
pub trait CompanyRows {
    /// The contact with this id, even if it is deleted.
    fn contact(&self, id: ContactId) -> Stored<Option<Existing>>;

    /// The contact with this email identity ([`Email::identity`](crate::email::Email::identity)), even if it is
    /// deleted.
    fn contact_by_identity(&self, identity: &str) -> Stored<Option<Existing>>;

    /// All contacts, in any order, including deleted ones.
    fn contacts(&self) -> Stored<Vec<Existing>>;

    /// Stores a contact in place of the one with its id, whose email identity may have been another.
    fn put_contact(&mut self, row: Existing) -> Stored<()>;

    /// All fields, oldest first.
    fn fields(&self) -> Stored<Vec<Field>>;

    /// Stores a field in place of the one with its id, or after the others.
    fn put_field(&mut self, field: Field) -> Stored<()>;
}

/// A store of rows by company.
pub trait RowStore: Send + Sync {
    /// Does the work in one serializable transaction, which is rolled back when the work fails. It blocks the thread.
    fn transaction<T>(
        &self,
        company: CompanyId,
        work: impl FnOnce(&mut dyn CompanyRows) -> Stored<T>,
    ) -> Stored<T>;
}

/// Implements the ports of contacts and fields by a store of rows.
#[derive(Clone, Debug, Default)]
pub struct RowAdapter<S>(pub S);

/// The rows of a page, of all rows in their order.
pub(super) fn page<T>(request: PageRequest, rows: Vec<T>) -> Page<T> {
    let total = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let offset = usize::try_from(request.offset()).unwrap_or(usize::MAX);
    let size = usize::try_from(request.size()).unwrap_or(usize::MAX);
    Page::new(request, total, rows.into_iter().skip(offset).take(size).collect())
}
