//! Events for receivers.

use strum::{EnumCount, IntoStaticStr, VariantArray};

use crate::ids::{CompanyId, EventId, SyncId};
use crate::input::FromText;
use crate::time::Timestamp;
use crate::violations::Problem;
use crate::words::one_of;

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum EventKind {
    /// A user requested a sync.
    SyncRequested,
    /// Contacts changed.
    ContactsChanged,
    /// Fields changed.
    FieldsChanged,
    /// Syncs changed.
    SyncsChanged,
    /// An alert was raised that somebody wants webhooks to get.
    AlertRaised,
    /// A person tested a webhook. It cannot be subscribed to, and has no other effect.
    Test,
}

impl EventKind {
    /// The kinds to which a webhook can subscribe.
    pub const SUBSCRIBABLE: [Self; 5] = [
        Self::SyncRequested,
        Self::ContactsChanged,
        Self::FieldsChanged,
        Self::SyncsChanged,
        Self::AlertRaised,
    ];

    const fn bit(self) -> i16 {
        match self {
            Self::SyncRequested => 1,
            Self::ContactsChanged => 2,
            Self::FieldsChanged => 4,
            Self::SyncsChanged => 8,
            Self::AlertRaised => 16,
            Self::Test => 0,
        }
    }
}

impl FromText for EventKind {
    fn from_text(text: &str) -> Result<Self, Problem> {
        one_of(text, &Self::SUBSCRIBABLE)
    }
}

/// The kinds of events to which a webhook is subscribed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subscriptions(i16);

impl Subscriptions {
    /// The kinds, each once.
    pub fn iter(self) -> impl Iterator<Item = EventKind> {
        EventKind::SUBSCRIBABLE.into_iter().filter(move |kind| self.has(*kind))
    }

    /// Whether the kind is among them.
    #[must_use]
    pub const fn has(self, kind: EventKind) -> bool {
        self.0 & kind.bit() != 0
    }

    /// The stored form: one bit for each kind.
    #[must_use]
    pub const fn bits(self) -> i16 {
        self.0
    }

    /// Reads the stored form; bits without a kind are ignored.
    #[must_use]
    pub fn from_bits(bits: i16) -> Self {
        EventKind::SUBSCRIBABLE.into_iter().filter(|kind| bits & kind.bit() != 0).collect()
    }
}

impl FromIterator<EventKind> for Subscriptions {
    fn from_iter<I: IntoIterator<Item = EventKind>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |bits, kind| bits | kind.bit()))
    }
}

/// An event. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The same on every delivery and retry.
    pub id: EventId,
    /// The company that it belongs to.
    pub company: CompanyId,
    /// The kind.
    pub kind: EventKind,
    /// The sync that it is about.
    pub sync_id: Option<SyncId>,
    /// The JSON text that is signed and sent, the same on every retry.
    pub payload: String,
    /// When it happened.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::{EventKind, Subscriptions};
    use crate::input::FromText;

    #[test]
    fn tests_cannot_be_subscribed_to() {
        assert_eq!(EventKind::from_text(" syncRequested "), Ok(EventKind::SyncRequested));
        for word in ["test", "SyncRequested", "sync_requested", ""] {
            assert!(EventKind::from_text(word).is_err(), "{word}");
        }
    }

    #[test]
    fn subscriptions_survive_a_round_trip_as_bits() {
        let all: Subscriptions = EventKind::SUBSCRIBABLE.into_iter().collect();
        assert_eq!(Subscriptions::from_bits(all.bits()), all);
        assert!(all.has(EventKind::SyncRequested) && !all.has(EventKind::Test));
        for kind in EventKind::SUBSCRIBABLE {
            let one =
                Subscriptions::from_bits([kind].into_iter().collect::<Subscriptions>().bits());
            assert!(one.iter().eq([kind]));
        }
        assert_eq!(Subscriptions::from_bits(0).iter().count(), 0);
    }
}
