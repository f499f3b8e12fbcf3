//! Why deliveries are cancelled.

use crate::sync::SyncState;

/// Why a delivery was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CancelReason {
    /// The result of its sync was reported.
    SyncReported,
    /// A newer request superseded its sync.
    SyncSuperseded,
    /// The asset was deleted.
    AssetDeleted,
    /// The integration was deleted.
    IntegrationDeleted,
    /// Its webhook was deleted.
    WebhookDeleted,
}

impl CancelReason {
    /// Why deliveries about a sync in this state are obsolete; `None` while it is open. A sync that no longer exists was
    /// deleted with its asset.
    #[must_use]
    pub const fn of_sync(state: Option<&SyncState>) -> Option<Self> {
        match state {
            Some(SyncState::Requested) => None,
            Some(SyncState::Completed { .. } | SyncState::Failed { .. }) => {
                Some(Self::SyncReported)
            }
            Some(SyncState::Superseded) => Some(Self::SyncSuperseded),
            Some(SyncState::Withdrawn) => Some(Self::IntegrationDeleted),
            None => Some(Self::AssetDeleted),
        }
    }

    /// A sentence for people.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::SyncReported => "The sync was reported.",
            Self::SyncSuperseded => "The sync was superseded by a newer request.",
            Self::AssetDeleted => "The asset was deleted.",
            Self::IntegrationDeleted => "The integration was deleted.",
            Self::WebhookDeleted => "The webhook was deleted.",
        }
    }
}
