//! The query of a list of deliveries.

use super::DeliveryState;
use crate::ids::{SyncId, WebhookId};
use crate::page::PageRequest;

/// Page and conditions, all of which hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliveriesQuery {
    /// The page.
    pub page: PageRequest,
    /// Only those to this webhook.
    pub webhook_id: Option<WebhookId>,
    /// Only those about this sync.
    pub sync_id: Option<SyncId>,
    /// Only those in this state.
    pub state: Option<DeliveryState>,
}
