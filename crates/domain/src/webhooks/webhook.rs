//! Webhooks.

use super::{Health, PayloadUrl, Sealed, Subscriptions};
use crate::ids::{CompanyId, WebhookId, WebhookSecretId};
use crate::text;
use crate::texts::texts;
use crate::time::Timestamp;

/// The longest name of a webhook, in code points.
pub const MAX_WEBHOOK_NAME: usize = 255;

texts! {
    /// A webhook's label.
    WebhookName, |text| text::name(text, MAX_WEBHOOK_NAME);
}

/// A receiver of a company's events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The service's id.
    pub id: WebhookId,
    /// The company that it belongs to.
    pub company: CompanyId,
    /// The label.
    pub name: WebhookName,
    /// The address to which events are sent.
    pub url: PayloadUrl,
    /// The kinds of events that are sent.
    pub events: Subscriptions,
    /// Whether it is on, and its failures.
    pub health: Health,
    /// When the last earlier secret expires; `None` when there is none.
    pub previous_secret_until: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed by a person.
    pub updated_at: Timestamp,
}

/// A sealed secret under the id for which it was sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSecret {
    /// The id, which the vault authenticates.
    pub id: WebhookSecretId,
    /// The stored form.
    pub sealed: Sealed,
}
