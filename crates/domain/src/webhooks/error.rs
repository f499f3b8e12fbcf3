//! The errors of use cases on webhooks, in the interface's terms.

use super::VaultError;
use crate::ports::StoreError;
use crate::violations::Violations;

/// Why a use case on webhooks or deliveries failed.
#[derive(Debug, thiserror::Error)]
pub enum WebhooksError {
    /// The request has these violations.
    #[error("the request is invalid")]
    Invalid(Violations),
    /// The company has no such webhook.
    #[error("the webhook does not exist")]
    WebhookNotFound,
    /// The company has no such delivery.
    #[error("the delivery does not exist")]
    DeliveryNotFound,
    /// Too many tests of webhooks run at the moment.
    #[error("too many tests of webhooks run")]
    TooManyTests,
    /// The store failed.
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
