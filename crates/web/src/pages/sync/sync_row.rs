//! A sync as pages show it.

use contact_hub_domain::sync::{AssetSync, IntegrationChoice, SyncState, SyncStatus};

use crate::pages::excerpt::shortened;
use crate::pages::moment::Moment;

/// How many characters of a platform's message a row shows.
const LONG_MESSAGE: usize = 500;

/// A row of the history.
pub(crate) struct SyncRow {
    /// The service's id.
    pub(crate) id: String,
    /// The connection's name.
    pub(crate) connection: String,
    /// Its status.
    pub(crate) status: &'static str,
    /// The kind of badge.
    pub(crate) tone: &'static str,
    /// The result: the platform's own id.
    pub(crate) map_id: Option<String>,
    /// Where the platform shows it.
    pub(crate) map_url: Option<String>,
    /// Why it failed.
    pub(crate) message: Option<String>,
    /// Who asked.
    pub(crate) requested_by: String,
    /// When.
    pub(crate) requested_at: Moment,
    /// When its result came.
    pub(crate) reported_at: Option<Moment>,
    /// Whether its result is still to come.
    pub(crate) is_open: bool,
    /// What was sent for it.
    pub(crate) deliveries: String,
}

/// A sync's status, and the kind of its badge. One that was closed without a result has not failed.
const fn status_of(sync: &AssetSync) -> (&'static str, &'static str) {
    match sync.state {
        SyncState::Superseded => ("Superseded", ""),
        SyncState::Withdrawn => ("Withdrawn", ""),
        _ => status(sync.status()),
    }
}

/// A status, and the kind of its badge.
pub(super) const fn status(status: SyncStatus) -> (&'static str, &'static str) {
    match status {
        SyncStatus::SyncRequested => ("Sync requested", "warn pulse"),
        SyncStatus::Completed => ("Completed", "good"),
        SyncStatus::Failed => ("Failed", "bad"),
    }
}

impl SyncRow {
    /// A sync, with the connections that have names.
    pub(crate) fn new(sync: &AssetSync, connections: &[IntegrationChoice]) -> Self {
        let connection = connections.iter().find(|it| it.id == sync.integration_id);
        let connection = connection.map_or("Another connection", |it| it.name.as_str());
        let (status, tone) = status_of(sync);
        let map = sync.map();
        Self {
            id: sync.id.to_string(),
            connection: connection.to_owned(),
            status,
            tone,
            map_id: map.map(|map| map.id.as_str().to_owned()),
            map_url: map.map(|map| map.url.as_str().to_owned()),
            message: sync.error_message().map(|it| shortened(it, LONG_MESSAGE)),
            requested_by: sync.requested_by.clone().unwrap_or_else(|| "Someone".to_owned()),
            requested_at: sync.requested_at.into(),
            reported_at: sync.reported_at().map(Moment::from),
            is_open: sync.is_open(),
            deliveries: format!(
                "/admin/integrations/webhooks/deliveries?filter[sync_id]={}",
                sync.id
            ),
        }
    }
}
