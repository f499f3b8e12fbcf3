//! Search deliveries by their id, event and time.
//!
//! No index has every combination of these conditions. Only the newest [`SEARCHED`] deliveries that meet the other
//! conditions are searched at once, so a search never reads a whole backlog; the next search can continue where it
//! ended.

use std::time::Duration;

use uuid::Uuid;

use super::{AttemptOutcome, DeliveriesQuery, Delivery, EventKind, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::{AssetId, DeliveryId, IntegrationId, SyncId};
use crate::page::Page;
use crate::sync::{AssetName, IntegrationName};
use crate::time::Timestamp;

/// How many deliveries are searched at once.
pub const SEARCHED: u32 = 20_000;

/// Conditions on deliveries, all of which hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliverySearch {
    /// The page, and the conditions that the interface has.
    pub query: DeliveriesQuery,
    /// Only the delivery with this id, and those of the event or the sync with this id.
    pub id: Option<Uuid>,
    /// Only those of events of this kind.
    pub kind: Option<EventKind>,
    /// Only those that were created at this moment or later.
    pub from: Option<Timestamp>,
    /// Only those that were created before this moment.
    pub to: Option<Timestamp>,
    /// Only those before this one in the order of the ids: where another search ended.
    pub before: Option<DeliveryId>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDeliveries {
    /// A page of what was found.
    pub page: Page<ListedDelivery>,
    /// The last delivery that was searched, and when it was created; `None` when all were.
    pub searched_until: Option<(Timestamp, DeliveryId)>,
}

/// A delivery as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDelivery {
    /// The delivery.
    pub delivery: Delivery,
    /// The outcome of its last attempt, and how long that took.
    pub last: Option<(AttemptOutcome, Duration)>,
    /// The asset that its sync publishes, with its name.
    pub asset: Option<(AssetId, AssetName)>,
    /// The integration to which its sync publishes, with its name.
    pub integration: Option<(IntegrationId, IntegrationName)>,
}

impl DeliverySearch {
    /// Whether it has only conditions for which lists have indexes.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        let is_timeless = self.from.is_none() && self.to.is_none() && self.before.is_none();
        is_timeless && self.id.is_none() && self.kind.is_none()
    }

    /// Whether a delivery meets the conditions.
    #[must_use]
    pub fn includes(&self, delivery: &Delivery) -> bool {
        let id = |id: Uuid| {
            let sync = delivery.sync_id.map(SyncId::uuid);
            id == delivery.id.uuid() || id == delivery.event_id.uuid() || Some(id) == sync
        };
        self.query.webhook_id.is_none_or(|webhook| webhook == delivery.webhook_id)
            && self.query.sync_id.is_none_or(|sync| Some(sync) == delivery.sync_id)
            && self.query.state.is_none_or(|state| state == delivery.state)
            && self.id.is_none_or(id)
            && self.kind.is_none_or(|kind| kind == delivery.kind)
            && self.from.is_none_or(|from| delivery.created_at >= from)
            && self.to.is_none_or(|to| delivery.created_at < to)
            && self.before.is_none_or(|before| delivery.id < before)
    }
}

/// A page of the deliveries that meet the conditions, the newest first.
pub async fn search_deliveries(
    cx: &Context<'_, WebhookPorts>,
    search: DeliverySearch,
) -> Result<FoundDeliveries, WebhooksError> {
    Ok(cx.ports.webhooks.search_deliveries(cx.caller.company.id, search).await?)
}
