//! The state of syncs and webhooks.

use crate::ids::{AssetId, WebhookId};
use crate::sync::{AssetName, IntegrationName};
use crate::time::Timestamp;
use crate::webhooks::WebhookName;

/// How many syncs were requested lately, by their state. Each is counted up to [`SyncTotals::MOST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SyncTotals {
    /// They wait for a report.
    pub requested: u64,
    /// They were reported as completed.
    pub completed: u64,
    /// They were reported as failed.
    pub failed: u64,
    /// They were closed without a report, by a newer request or because their integration was deleted.
    pub closed: u64,
}

impl SyncTotals {
    /// The largest number that is counted, so that counting stays short.
    pub const MOST: u64 = 10_000;
}

/// An asset whose latest sync to an integration was reported as failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedSync {
    /// The asset.
    pub asset: AssetId,
    /// Its name.
    pub asset_name: AssetName,
    /// The name of the integration.
    pub integration_name: IntegrationName,
    /// The beginning of the error message.
    pub message: String,
    /// When it was reported.
    pub reported_at: Timestamp,
}

/// A webhook whose last attempts failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingWebhook {
    /// The webhook.
    pub id: WebhookId,
    /// Its name.
    pub name: WebhookName,
    /// Whether the service switched it off because of that.
    pub is_off: bool,
    /// The first failed attempt since the last success, if it is known.
    pub since: Option<Timestamp>,
}
