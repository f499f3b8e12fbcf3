//! The result of the last import of each user. The rows themselves are not kept.

use crate::context::{Context, OverviewPorts};
use crate::ids::UserId;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// The largest number of rows that is recorded.
const MAX: u64 = 1_000_000_000_000;

/// The number of rows of an import by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// Rows that created or restored a contact.
    pub created: u64,
    /// Rows that changed one.
    pub updated: u64,
    /// Rows that equal their contacts.
    pub unchanged: u64,
    /// Rows that were refused.
    pub refused: u64,
}

impl ImportCounts {
    /// All rows.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.created
            .saturating_add(self.updated)
            .saturating_add(self.unchanged)
            .saturating_add(self.refused)
    }
}

/// The last import of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastImport {
    /// Who imported.
    pub user: UserId,
    /// Its result.
    pub counts: ImportCounts,
    /// When it ended.
    pub ended_at: Timestamp,
}

/// Records the end of an import, replacing the caller's previous one. Its parts have their own entries in the audit.
pub async fn record_import(
    cx: &Context<'_, OverviewPorts>,
    counts: ImportCounts,
) -> Result<(), StoreError> {
    let counts = ImportCounts {
        created: counts.created.min(MAX),
        updated: counts.updated.min(MAX),
        unchanged: counts.unchanged.min(MAX),
        refused: counts.refused.min(MAX),
    };
    let ended_at = cx.ports.environment.clock.now();
    let import = LastImport { user: cx.caller.user_id, counts, ended_at };
    cx.ports.overview.record_import(cx.caller.company.id, import).await
}
