//! A delivery as pages show it.

use contact_hub_domain::webhooks::{AttemptOutcome, Delivery, DeliveryState, ListedDelivery};

use super::names::WebhookNames;
use super::outcome::{ShownOutcome, took};
use crate::pages::excerpt::shortened;
use crate::pages::moment::Moment;

/// How many characters of a name a row shows.
const LONG_NAME: usize = 60;

/// A row of a list of deliveries.
pub(crate) struct DeliveryRow {
    /// The service's id.
    pub(crate) id: String,
    /// The webhook.
    pub(crate) webhook: String,
    /// The webhook's name.
    pub(crate) webhook_name: String,
    /// The kind of the event.
    pub(crate) event: &'static str,
    /// Its state.
    pub(crate) state: &'static str,
    /// The kind of badge.
    pub(crate) tone: &'static str,
    /// Whether its state may still change by itself.
    pub(crate) is_open: bool,
    /// How many attempts there were.
    pub(crate) attempts: u32,
    /// When it is attempted next.
    pub(crate) next_attempt_at: Option<Moment>,
    /// Why it was given up.
    pub(crate) reason: Option<String>,
    /// When it was created.
    pub(crate) created_at: Moment,
    /// The outcome of its last attempt.
    pub(crate) outcome: Option<ShownOutcome>,
    /// How long that took.
    pub(crate) took: Option<String>,
    /// The address and the name of the asset that is published.
    pub(crate) asset: Option<(String, String)>,
    /// The address and the name of the connection to which it is published.
    pub(crate) connection: Option<(String, String)>,
}

impl DeliveryRow {
    /// A delivery to the webhook of this name.
    pub(super) fn new(
        delivery: &Delivery,
        webhook_name: String,
        last: Option<AttemptOutcome>,
    ) -> Self {
        let (state, tone) = in_words(delivery.state);
        let has_failed = last.is_some_and(|outcome| !outcome.is_success());
        let is_cancelled = delivery.state == DeliveryState::Cancelled;
        Self {
            id: delivery.id.to_string(),
            webhook: delivery.webhook_id.to_string(),
            webhook_name,
            event: delivery.kind.as_str(),
            state,
            // One that was refused before it became obsolete has failed.
            tone: if is_cancelled && has_failed { "bad" } else { tone },
            is_open: delivery.state.is_open(),
            attempts: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at.map(Moment::from),
            reason: delivery.reason.clone(),
            created_at: delivery.created_at.into(),
            outcome: last.map(ShownOutcome::from),
            took: None,
            asset: None,
            connection: None,
        }
    }

    /// A delivery of a list.
    pub(super) fn listed(listed: ListedDelivery, names: &WebhookNames) -> Self {
        let (outcome, duration) = listed.last.unzip();
        let name = names.name(listed.delivery.webhook_id);
        let row = Self::new(&listed.delivery, name, outcome);
        let asset =
            listed.asset.map(|(id, name)| (format!("/assets/{id}"), name.as_str().to_owned()));
        let connection = listed.integration.map(|(id, name)| {
            (format!("/admin/integrations/platforms/{id}"), name.as_str().to_owned())
        });
        let short = |(href, name): (String, String)| (href, shortened(&name, LONG_NAME));
        Self {
            took: duration.map(took),
            asset: asset.map(short),
            connection: connection.map(short),
            ..row
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
