//! What can come of a use case on webhooks, in the interface's words.

use super::VaultError;
use crate::ports::StoreError;
use crate::violations::Violations;

/// Why a use case on webhooks or deliveries was refused.
#[derive(Debug, thiserror::Error)]
pub enum WebhooksError {
    /// The request breaks these rules.
    #[error("the request is invalid")]
    Invalid(Violations),
    /// The company has no such webhook, or no longer.
    #[error("the webhook does not exist")]
    WebhookNotFound,
    /// The company has no such delivery.
    #[error("the delivery does not exist")]
    DeliveryNotFound,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Violations> for WebhooksError {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}

impl From<VaultError> for WebhooksError {
    fn from(error: VaultError) -> Self {
        Self::Store(StoreError::Failed(Box::new(error)))
    }
}
