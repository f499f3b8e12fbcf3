//! Webhooks.

use super::{Health, PayloadUrl, Sealed, Subscriptions};
use crate::ids::{CompanyId, WebhookId, WebhookSecretId};
use crate::input::FromText;
use crate::text;
use crate::time::Timestamp;
use crate::violations::Problem;

/// The longest name of a webhook, in code points.
pub const MAX_WEBHOOK_NAME: usize = 255;

/// A webhook's label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookName(String);

impl WebhookName {
    /// Restores a name from a store, without validation.
    #[must_use]
    pub const fn from_stored(name: String) -> Self {
        Self(name)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for WebhookName {
    fn from_text(text: &str) -> Result<Self, Problem> {
        text::name(text, MAX_WEBHOOK_NAME).map(|name| Self(name.to_owned()))
    }
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
