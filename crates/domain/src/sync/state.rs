//! A sync of an asset to an integration, and all transitions of its state.
//!
//! | State | report completed or failed | superseded or withdrawn |
//! |---|---|---|
//! | requested | completed, failed | superseded, withdrawn |
//! | completed, failed | the same report: nothing; another: refused | nothing |
//! | superseded, withdrawn | refused | nothing |
//!
//! A sync begins as requested, independently of earlier ones.

use strum::{Display, EnumCount, IntoStaticStr, VariantArray};

use super::result::{ErrorMessage, MapEntry, Report};
use crate::ids::{AssetId, IntegrationId, SyncId};
use crate::time::Timestamp;

/// A sync of an asset to an integration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetSync {
    /// The service's id.
    pub id: SyncId,
    /// The asset.
    pub asset_id: AssetId,
    /// The integration.
    pub integration_id: IntegrationId,
    /// The email of the user who requested it; `None` when the user was deleted by then.
    pub requested_by: Option<String>,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// Its state.
    pub state: SyncState,
}

/// The state of a sync.
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
        /// The error message.
        message: ErrorMessage,
        /// When it was reported.
        reported_at: Timestamp,
    },
    /// A newer request for the same asset and integration superseded it.
    Superseded,
    /// Its integration was deleted.
    Withdrawn,
}

/// The status of a sync in the interface.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray, Display,
)]
#[strum(serialize_all = "snake_case")]
pub enum SyncStatus {
    /// Nothing was reported yet.
    SyncRequested,
    /// It succeeded.
    Completed,
    /// It failed, or was closed without a result.
    Failed,
}

/// A step of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its result is reported.
    Report(Report),
    /// It is requested again.
    Supersede,
    /// Its integration is deleted.
    Withdraw,
}

/// The effect of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// The sync after the step.
    Moved(AssetSync),
    /// Nothing changes.
    Unchanged,
    /// The step is not allowed in this state.
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

    /// Whether its result may still be reported.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state == SyncState::Requested
    }

    /// Its status in the interface.
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
    /// Its name in the interface.
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
