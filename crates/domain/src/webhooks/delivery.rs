//! What becomes of one event on its way to one webhook.

use super::{Attempt, DeliveryState, EventKind};
use crate::ids::{CompanyId, DeliveryId, EventId, SyncId, WebhookId};
use crate::time::Timestamp;

/// What made an attempt happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// The event, and then the schedule of retries.
    Scheduled,
    /// Someone resent this delivery.
    Resend,
    /// Someone recovered what had failed.
    Recover,
    /// Someone tried the webhook out.
    Test,
}

impl Trigger {
    /// Every trigger.
    pub const ALL: [Self; 4] = [Self::Scheduled, Self::Resend, Self::Recover, Self::Test];

    /// The interface's word, under which a store keeps it too.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Resend => "resend",
            Self::Recover => "recover",
            Self::Test => "test",
        }
    }

    /// The trigger with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trigger| trigger.as_str() == word)
    }

    /// Whether a person asked for it, so that it is made even to a webhook that is off.
    #[must_use]
    pub const fn is_by_hand(self) -> bool {
        !matches!(self, Self::Scheduled)
    }
}

/// One event on its way to one webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The service's id.
    pub id: DeliveryId,
    /// Whose it is.
    pub company: CompanyId,
    /// What is delivered.
    pub event_id: EventId,
    /// To which webhook, which may have been deleted since.
    pub webhook_id: WebhookId,
    /// The sync that the event is about.
    pub sync_id: Option<SyncId>,
    /// The kind of the event.
    pub kind: EventKind,
    /// Where it stands.
    pub state: DeliveryState,
    /// How many attempts have been made.
    pub attempts: u32,
    /// When it is tried next, while it waits for that.
    pub next_attempt_at: Option<Timestamp>,
    /// Why it was given up, for people.
    pub reason: Option<String>,
    /// When the event happened.
    pub created_at: Timestamp,
    /// When its state last changed.
    pub updated_at: Timestamp,
}

/// A delivery with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryDetail {
    /// The delivery.
    pub delivery: Delivery,
    /// What is sent; `None` when the webhook was deleted, which erases it.
    pub payload: Option<String>,
    /// Every attempt, the first one first.
    pub attempts: Vec<Attempt>,
}

#[cfg(test)]
mod tests {
    use super::Trigger;

    #[test]
    fn words_come_back() {
        for trigger in Trigger::ALL {
            assert_eq!(Trigger::parse(trigger.as_str()), Some(trigger));
        }
    }
}
