//! The store port of the feed. Entries are written by the stores of what changes.

use async_trait::async_trait;

use super::{ChangeEntry, ChangesQuery, Position};
use crate::ids::CompanyId;
use crate::ports::StoreError;
use uuid::Uuid;

/// Some entries of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangesPage {
    /// The entries, in their order.
    pub entries: Vec<ChangeEntry>,
    /// Where the next call continues. It may be after the last entry when entries of other types follow.
    pub next: Position,
}

/// The outcome of reading a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangesOutcome {
    /// The entries.
    Found(ChangesPage),
    /// Entries after the position were deleted, or the position is one that the feed has not reached.
    Expired,
}

/// Stores the feeds of all companies.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ChangeStore: Send + Sync {
    /// The entries after a position, in an order in which none appears later before one that was already returned:
    /// the result ends before the place of any transaction that may still commit. If there are no entries, waits for
    /// the first one as long as the query says. A call that does not wait returns what was committed before it, except
    /// when an older transaction takes long.
    async fn list_changes(
        &self,
        company: CompanyId,
        query: ChangesQuery,
    ) -> Result<ChangesOutcome, StoreError>;

    /// At most `limit` entries of one object: the latest ones, the oldest first.
    async fn changes_of(
        &self,
        company: CompanyId,
        object: Uuid,
        limit: u32,
    ) -> Result<Vec<ChangeEntry>, StoreError>;
}
