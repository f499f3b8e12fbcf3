//! Deliveries: one event for one webhook.

use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::{Attempt, DeliveryState, EventKind};
use crate::ids::{CompanyId, DeliveryId, EventId, SyncId, WebhookId};
use crate::time::Timestamp;

/// The trigger of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// The event, and then the schedule of retries.
    Scheduled,
    /// A person resent this delivery.
    Resend,
    /// A person recovered failed deliveries.
    Recover,
    /// A person tested the webhook.
    Test,
}

impl Trigger {
    /// Whether a person triggered it. Then it is made even to a webhook that is off.
    #[must_use]
    pub const fn is_by_hand(self) -> bool {
        !matches!(self, Self::Scheduled)
    }
}

/// One event for one webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The service's id.
    pub id: DeliveryId,
    /// The company that it belongs to.
    pub company: CompanyId,
    /// The event.
    pub event_id: EventId,
    /// The webhook, which may have been deleted since.
    pub webhook_id: WebhookId,
    /// The sync that the event is about.
    pub sync_id: Option<SyncId>,
    /// The kind of the event.
    pub kind: EventKind,
    /// Its state.
    pub state: DeliveryState,
    /// How many attempts have been made.
    pub attempts: u32,
    /// When it is attempted next, while it waits for that.
    pub next_attempt_at: Option<Timestamp>,
    /// Why it was given up, as a sentence for people.
    pub reason: Option<String>,
    /// When the event happened.
    pub created_at: Timestamp,
    /// When its state last changed.
    pub updated_at: Timestamp,
}

/// A delivery with its payload and attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryDetail {
    /// The delivery.
    pub delivery: Delivery,
    /// The payload; `None` when it was erased with the webhook.
    pub payload: Option<String>,
    /// The latest attempts, the first one first. A store may leave out all but the last 200.
    pub attempts: Vec<Attempt>,
}
