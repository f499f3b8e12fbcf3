//! Followers of the change feed: webhooks that get its entries as events.

use super::EventKind;
use crate::ids::{DeliveryId, EventId, WebhookId};
use crate::time::Timestamp;

/// A webhook that gets entries of its company's feed as events of one kind. It has a cursor while the webhook is subscribed,
/// also if it is off; the cursor begins at the end of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follower {
    /// The webhook.
    pub webhook: WebhookId,
    /// The kind of its events.
    pub kind: EventKind,
}

/// The result of looking at followers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followers {
    /// Those for which an event can be made.
    pub ready: Vec<Follower>,
    /// The last one that was looked at, if there may be more after it.
    pub more_after: Option<Follower>,
    /// Whether there was any.
    pub is_any: bool,
}

/// The parameters of making an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Who gets it.
    pub follower: Follower,
    /// The id of the event.
    pub event_id: EventId,
    /// The id of its delivery.
    pub delivery_id: DeliveryId,
    /// The current time.
    pub now: Timestamp,
}

/// The result of making an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announced {
    /// An event, whose delivery is due, or skipped if the webhook is off.
    Event,
    /// The next entries are of other kinds. The cursor is now after them.
    Passed,
    /// Nothing, because another instance was faster, or the webhook no longer follows.
    Nothing,
}
