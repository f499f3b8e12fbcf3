//! A sync of an asset to an integration, and every way in which it may go on.
//!
//! | State | report completed or failed | superseded or withdrawn |
//! |---|---|---|
//! | requested | completed, failed | superseded, withdrawn |
//! | completed, failed | the same report: nothing; another: refused | nothing |
//! | superseded, withdrawn | refused | nothing |
//!
//! A sync begins as requested, whatever came of the ones before it.

use std::fmt;

use super::result::{ErrorMessage, MapEntry, Report};
use crate::ids::{AssetId, IntegrationId, SyncId};
use crate::time::Timestamp;

/// A sync of an asset to an integration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetSync {
    /// The service's id.
    pub id: SyncId,
    /// What is synced.
    pub asset_id: AssetId,
    /// Where to.
    pub integration_id: IntegrationId,
    /// The email of the user who asked for it; `None` when that user was gone by then.
    pub requested_by: Option<String>,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// How it stands.
    pub state: SyncState,
}

/// How a sync stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncState {
    /// Nothing was reported yet. All other states are closed.
    Requested,
    /// The external service reported success.
    Completed {
        /// The platform's own entry for the asset.
        map: MapEntry,
        /// When it was reported.
        reported_at: Timestamp,
    },
    /// The external service reported a failure.
    Failed {
        /// What it said.
        message: ErrorMessage,
        /// When it was reported.
        reported_at: Timestamp,
    },
    /// A newer request for the same asset and integration took its place.
    Superseded,
    /// Its integration was deleted.
    Withdrawn,
}

/// How a sync stands, in the interface's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncStatus {
    /// Nothing was reported yet.
    SyncRequested,
    /// It succeeded.
    Completed,
    /// It did not, or will not.
    Failed,
}

impl SyncStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::SyncRequested, Self::Completed, Self::Failed];

    /// The interface's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SyncRequested => "sync_requested",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for SyncStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What happens to a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its result is reported.
    Report(Report),
    /// It is asked for anew.
    Supersede,
    /// Its integration is deleted.
    Withdraw,
}

/// What a step does to a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// This is the sync from now on.
    Moved(AssetSync),
    /// Nothing changes.
    Unchanged,
    /// The step is not for a sync in this state.
    Refused,
}

impl AssetSync {
    /// The sync after a step.
    #[must_use]
    pub fn after(&self, step: &Step, at: Timestamp) -> Stepped {
        let next = match (&self.state, step) {
            (SyncState::Requested, Step::Report(report)) => report.state(at),
            (SyncState::Requested, Step::Supersede) => SyncState::Superseded,
            (SyncState::Requested, Step::Withdraw) => SyncState::Withdrawn,
            (state, Step::Report(report)) if !state.is_reported_as(report) => {
                return Stepped::Refused;
            }
            (_, Step::Report(_) | Step::Supersede | Step::Withdraw) => return Stepped::Unchanged,
        };
        Stepped::Moved(Self { state: next, ..self.clone() })
    }

    /// Whether it may still be reported.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state == SyncState::Requested
    }

    /// How it stands, in the interface's words.
    #[must_use]
    pub const fn status(&self) -> SyncStatus {
        self.state.status()
    }

    /// The platform's entry, once it succeeded.
    #[must_use]
    pub const fn map(&self) -> Option<&MapEntry> {
        match &self.state {
            SyncState::Completed { map, .. } => Some(map),
            _ => None,
        }
    }

    /// Why it failed.
    #[must_use]
    pub fn error_message(&self) -> Option<&str> {
        match &self.state {
            SyncState::Failed { message, .. } => Some(message.as_str()),
            SyncState::Superseded => Some("Superseded by a newer sync request."),
            SyncState::Withdrawn => Some("The integration was deleted."),
            SyncState::Requested | SyncState::Completed { .. } => None,
        }
    }

    /// When its result was reported, if it was.
    #[must_use]
    pub const fn reported_at(&self) -> Option<Timestamp> {
        match &self.state {
            SyncState::Completed { reported_at, .. } | SyncState::Failed { reported_at, .. } => {
                Some(*reported_at)
            }
            SyncState::Requested | SyncState::Superseded | SyncState::Withdrawn => None,
        }
    }
}

impl SyncState {
    /// How it is told, in the interface's words.
    #[must_use]
    pub const fn status(&self) -> SyncStatus {
        match self {
            Self::Requested => SyncStatus::SyncRequested,
            Self::Completed { .. } => SyncStatus::Completed,
            Self::Failed { .. } | Self::Superseded | Self::Withdrawn => SyncStatus::Failed,
        }
    }

    fn is_reported_as(&self, report: &Report) -> bool {
        match (self, report) {
            (Self::Completed { map, .. }, Report::Completed(reported)) => map == reported,
            (Self::Failed { message, .. }, Report::Failed(reported)) => message == reported,
            _ => false,
        }
    }
}

impl Report {
    fn state(&self, reported_at: Timestamp) -> SyncState {
        match self.clone() {
            Self::Completed(map) => SyncState::Completed { map, reported_at },
            Self::Failed(message) => SyncState::Failed { message, reported_at },
        }
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
