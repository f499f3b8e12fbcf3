//! The Publish menu of an asset: a row for each connection that takes its type.

use contact_hub_domain::access::Permission;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync::{AssetDetail, AssetSync, IntegrationChoice};
use contact_hub_domain::webhooks::{self, EventKind};

use super::platform_names::platform;
use super::sync_row::status;
use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::moment::Moment;

/// How many webhooks are read to find one that is on; few companies have as many.
const WEBHOOKS: u32 = 100;

/// A connection, and the last sync of the asset to it.
pub(super) struct MenuRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) platform: &'static str,
    pub(super) last: Option<LastSync>,
}

/// The last sync of an asset to a connection.
pub(super) struct LastSync {
    pub(super) status: &'static str,
    pub(super) tone: &'static str,
    pub(super) at: Moment,
    pub(super) map_url: Option<String>,
    pub(super) message: Option<String>,
}

impl MenuRow {
    /// The first letter of the platform, as its mark.
    pub(super) fn mark(&self) -> String {
        self.platform.chars().take(1).collect()
    }
}

impl From<&AssetSync> for LastSync {
    fn from(sync: &AssetSync) -> Self {
        let (status, tone) = status(sync.status());
        Self {
            status,
            tone,
            at: sync.reported_at().unwrap_or(sync.requested_at).into(),
            map_url: sync.map().map(|map| map.url.as_str().to_owned()),
            message: sync.error_message().map(str::to_owned),
        }
    }
}

/// The menu of an asset, as a person may use it.
pub(super) struct PublishMenu {
    pub(super) rows: Vec<MenuRow>,
    /// Whether a request would reach a webhook.
    pub(super) has_webhook: bool,
    pub(super) is_permitted: bool,
}

impl PublishMenu {
    /// The menu for an asset. Webhooks are read only when the person can publish.
    pub(super) async fn of(
        caller: &PageCaller,
        detail: &AssetDetail,
        connections: &[IntegrationChoice],
    ) -> Result<Self, ApiError> {
        let is_permitted = caller.may(Permission::Publish);
        let rows = rows(detail, connections);
        let has_webhook = !is_permitted || rows.is_empty() || has_webhook(caller).await?;
        Ok(Self { rows, has_webhook, is_permitted })
    }
}

fn rows(detail: &AssetDetail, connections: &[IntegrationChoice]) -> Vec<MenuRow> {
    let kind = detail.asset.form.kind();
    let row = |it: &IntegrationChoice| MenuRow {
        id: it.id.to_string(),
        name: it.name.as_str().to_owned(),
        platform: platform(it.format),
        last: detail
            .latest_syncs
            .iter()
            .find(|sync| sync.integration_id == it.id)
            .map(LastSync::from),
    };
    connections.iter().filter(|it| it.asset_types.has(kind)).map(row).collect()
}

/// Whether a webhook that gets the requests of syncs is on.
async fn has_webhook(caller: &PageCaller) -> Result<bool, ApiError> {
    let page = PageRequest::new(1, WEBHOOKS).unwrap_or_default();
    let found = webhooks::list(&caller.context(), page).await?;
    let is_on = found
        .items
        .iter()
        .any(|webhook| webhook.health.is_enabled() && webhook.events.has(EventKind::SyncRequested));
    Ok(is_on || found.meta.total > u64::from(WEBHOOKS))
}
