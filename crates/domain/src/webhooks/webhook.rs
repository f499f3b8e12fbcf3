//! What a webhook is.

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
    /// Takes a name that a store kept.
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

/// Where a company wants to be told of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The service's id.
    pub id: WebhookId,
    /// Whose it is.
    pub company: CompanyId,
    /// The label.
    pub name: WebhookName,
    /// Where events are sent.
    pub url: PayloadUrl,
    /// Which events are sent.
    pub events: Subscriptions,
    /// Whether it is on, and how its receiver does.
    pub health: Health,
    /// Until when a secret from before a rotation is valid too; `None` when there is no such secret.
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
    /// What a store keeps.
    pub sealed: Sealed,
}
