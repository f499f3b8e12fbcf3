//! A delivery as pages show it.

use contact_hub_domain::webhooks::{Delivery, DeliveryState};

use crate::pages::moment::Moment;

/// A row of a list of deliveries.
pub(crate) struct DeliveryRow {
    /// The service's id.
    pub(crate) id: String,
    /// The webhook.
    pub(crate) webhook: String,
    /// What it is called.
    pub(crate) webhook_name: String,
    /// The kind of the event.
    pub(crate) event: &'static str,
    /// Its state.
    pub(crate) state: &'static str,
    /// The kind of badge.
    pub(crate) tone: &'static str,
    /// Whether it is pending, so that its state may still change by itself.
    pub(crate) is_open: bool,
    /// How often it was tried.
    pub(crate) attempts: u32,
    /// When it is tried next.
    pub(crate) next_attempt_at: Option<Moment>,
    /// Why it was abandoned.
    pub(crate) reason: Option<String>,
    /// When it was created.
    pub(crate) created_at: Moment,
}

impl DeliveryRow {
    /// A delivery to the webhook of this name.
    pub(super) fn new(delivery: &Delivery, webhook_name: String) -> Self {
        let (state, tone) = in_words(delivery.state);
        Self {
            id: delivery.id.to_string(),
            webhook: delivery.webhook_id.to_string(),
            webhook_name,
            event: delivery.kind.as_str(),
            state,
            tone,
            is_open: delivery.state.is_open(),
            attempts: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at.map(Moment::from),
            reason: delivery.reason.clone(),
            created_at: delivery.created_at.into(),
        }
    }
}

/// A state and its badge.
pub(crate) const fn in_words(state: DeliveryState) -> (&'static str, &'static str) {
    match state {
        DeliveryState::Pending => ("Pending", "warn"),
        DeliveryState::InProgress => ("In progress", "warn"),
        DeliveryState::Retrying => ("Retrying", "warn"),
        DeliveryState::Succeeded => ("Succeeded", "good"),
        DeliveryState::Exhausted => ("Exhausted", "bad"),
        DeliveryState::Cancelled => ("Cancelled", ""),
        DeliveryState::Skipped => ("Skipped", ""),
    }
}
