//! The addresses that receivers of an event call.

use std::sync::Arc;

use super::platform::Platform;
use crate::ids::{AssetId, IntegrationId};

/// Where the interface for custom platforms begins, below the service's public address.
pub const PUBLISHED_BASE: &str = "/api/published/v1";

/// Makes addresses below the service's public one.
#[derive(Clone, Debug)]
pub struct Links(Arc<str>);

impl Links {
    /// Takes the address under which clients reach the service, without a slash at its end.
    #[must_use]
    pub fn new(public_url: &str) -> Self {
        Self(public_url.into())
    }

    /// Where an asset's content is, in a platform's syntax; with an integration's own mapping when one is named.
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

    /// Where the result of an asset's sync is reported.
    #[must_use]
    pub fn sync_status(&self, asset: AssetId) -> String {
        format!("{}{PUBLISHED_BASE}/sync-status/{asset}", self.0)
    }
}
