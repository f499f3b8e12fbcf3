//! The errors of use cases on assets, integrations and syncs, in the interface's terms.

use super::requesting::RequestProblem;
use crate::ids::SyncId;
use crate::ports::StoreError;
use crate::violations::Violations;

/// Why a use case failed.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The request has these violations.
    #[error("the request is invalid")]
    Invalid(Violations),
    /// The company has no such asset.
    #[error("the asset does not exist")]
    AssetNotFound,
    /// The company has no such integration.
    #[error("the integration does not exist")]
    IntegrationNotFound,
    /// The integration does not accept the asset's type.
    #[error("the integration does not take assets of this type")]
    AssetTypeNotSupported,
    /// No enabled webhook subscribes to the event.
    #[error("no enabled webhook subscribes to syncRequested")]
    WebhookNotConfigured,
    /// The named sync is not open; these are.
    #[error("the sync that is reported is not open")]
    NotRequested(Vec<SyncId>),
    /// Several syncs are open, and the report names none.
    #[error("several syncs are open")]
    Ambiguous(Vec<SyncId>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Violations> for SyncError {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}

impl From<RequestProblem> for SyncError {
    fn from(problem: RequestProblem) -> Self {
        match problem {
            RequestProblem::AssetNotFound => Self::AssetNotFound,
            RequestProblem::IntegrationNotFound => Self::IntegrationNotFound,
            RequestProblem::AssetTypeNotSupported => Self::AssetTypeNotSupported,
            RequestProblem::WebhookNotConfigured => Self::WebhookNotConfigured,
        }
    }
}
