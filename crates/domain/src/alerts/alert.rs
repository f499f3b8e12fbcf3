//! Alerts, before and after they are stored.

use serde_json::json;
use uuid::Uuid;

use super::AlertKind;
use crate::ids::{CompanyId, EventId, UserId, WebhookId};
use crate::time::Timestamp;
use crate::webhooks::{DisabledReason, Event, EventKind, HealthNews};

/// An alert, to be stored in the transaction of its cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAlert {
    /// The company.
    pub company: CompanyId,
    /// The kind.
    pub kind: AlertKind,
    /// The id of the webhook, the key or the user who imported.
    pub object: Uuid,
    /// The name of the object.
    pub name: String,
    /// A sentence with the details.
    pub detail: String,
    /// The user whom it is about; `None` for an alert that is about the company.
    pub about: Option<UserId>,
    /// When it happened.
    pub at: Timestamp,
}

impl NewAlert {
    /// The event for webhooks.
    #[must_use]
    pub fn event(&self, id: EventId, at: Timestamp) -> Event {
        let kind = EventKind::AlertRaised;
        let payload = json!({
            "id": id.to_string(),
            "event": kind.as_str(),
            "created_at": at.to_seconds_text(),
            "alert": self.kind.as_str(),
            "object_id": self.object.to_string(),
            "name": self.name,
            "detail": self.detail,
            "at": self.at.to_seconds_text(),
        });
        let (company, payload) = (self.company, payload.to_string());
        Event { id, company, kind, sync_id: None, payload, created_at: at }
    }
}

/// A stored alert of one user: one or several of a kind about one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The kind.
    pub kind: AlertKind,
    /// The object; `None` when there were too many, so that those of a kind were counted together.
    pub object: Option<Uuid>,
    /// The name of the object, as it was at the last one.
    pub name: String,
    /// The sentence of the last one.
    pub detail: String,
    /// How many there were.
    pub times: u32,
    /// When the first one happened.
    pub first_at: Timestamp,
    /// When the last one happened.
    pub last_at: Timestamp,
}

/// The alert for a change of a webhook's health.
#[must_use]
pub fn raised_by_health(
    company: CompanyId,
    webhook: WebhookId,
    name: &str,
    news: HealthNews,
    at: Timestamp,
) -> NewAlert {
    let (kind, detail) = match news {
        HealthNews::Failing => (AlertKind::WebhookFailing, "Its latest attempts have all failed."),
        HealthNews::Warned => (
            AlertKind::WebhookWarned,
            "Nothing has succeeded for days. It will be switched off if this goes on.",
        ),
        HealthNews::SwitchedOff(DisabledReason::Gone) => {
            (AlertKind::WebhookOff, "Its receiver answered 410 Gone.")
        }
        HealthNews::SwitchedOff(DisabledReason::Failing) => {
            (AlertKind::WebhookOff, "Nothing had succeeded for 5 days.")
        }
        HealthNews::SwitchedOff(DisabledReason::ByHand) => {
            (AlertKind::WebhookOff, "Somebody switched it off.")
        }
    };
    let (object, name, detail) = (webhook.uuid(), name.to_owned(), detail.to_owned());
    NewAlert { company, kind, object, name, detail, about: None, at }
}
