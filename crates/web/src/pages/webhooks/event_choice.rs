//! A kind of event to which a webhook can be subscribed, as pages show it.

use contact_hub_domain::webhooks::EventKind;

use crate::webhooks::catalogue;

/// A kind of event.
pub(super) struct EventChoice {
    /// What it is called.
    pub(super) name: &'static str,
    /// When it is sent.
    pub(super) summary: &'static str,
    /// A payload.
    pub(super) example: String,
}

impl From<EventKind> for EventChoice {
    fn from(kind: EventKind) -> Self {
        Self {
            name: kind.as_str(),
            summary: catalogue::summary(kind),
            example: format!("{:#}", catalogue::example(kind)),
        }
    }
}
