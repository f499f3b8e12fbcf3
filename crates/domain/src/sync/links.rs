//! The addresses that receivers of an event call.

use std::sync::Arc;

use super::platform::Platform;
use crate::ids::{AssetId, IntegrationId};

/// The path of the interface for custom platforms below the public address.
pub const PUBLISHED_BASE: &str = "/api/published/v1";

/// Creates addresses below the service's public address.
#[derive(Clone, Debug)]
pub struct Links(Arc<str>);

impl Links {
    /// Takes the public address of the service, without a slash at its end.
    #[must_use]
    pub fn new(public_url: &str) -> Self {
        Self(public_url.into())
    }

    /// The address of an asset's content in a platform's syntax, with the mapping of an integration if one is given.
    #[must_use]
    pub fn content(
        &self,
        asset: AssetId,
        platform: Platform,
        integration: Option<IntegrationId>,
    ) -> String {
        let own = integration.map(|id| format!("&integration_id={id}")).unwrap_or_default();
        format!("{}{PUBLISHED_BASE}/assets/{asset}/content?platform={platform}{own}", self.0)
    }

    /// The address to which the result of a sync is reported.
    #[must_use]
    pub fn sync_status(&self, asset: AssetId) -> String {
        format!("{}{PUBLISHED_BASE}/sync-status/{asset}", self.0)
    }
}
