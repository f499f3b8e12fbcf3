//! The names of the webhooks of deliveries.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{self, Webhook, WebhookName, WebhooksError};

use crate::error::ApiError;
use crate::pages::caller::PageCaller;

/// The names of the company's webhooks.
pub(super) struct WebhookNames(Vec<(WebhookId, WebhookName)>);

impl WebhookNames {
    /// Reads them in one query.
    pub(super) async fn of(caller: &PageCaller) -> Result<Self, ApiError> {
        Ok(Self(webhooks::names(&caller.context()).await?))
    }

    /// The name of this one.
    pub(super) fn of_one(webhook: &Webhook) -> Self {
        Self(vec![(webhook.id, webhook.name.clone())])
    }

    /// All of them, the oldest first.
    pub(super) fn all(&self) -> impl ExactSizeIterator<Item = (WebhookId, &str)> {
        self.0.iter().map(|(id, name)| (*id, name.as_str()))
    }

    /// The name of a webhook; its id once it is deleted.
    pub(super) fn name(&self, id: WebhookId) -> String {
        let found = self.0.iter().find(|(known, _)| *known == id);
        found.map_or_else(|| id.to_string(), |(_, name)| name.as_str().to_owned())
    }
}

/// One webhook; `None` once it is deleted.
pub(super) async fn webhook(
    caller: &PageCaller,
    id: WebhookId,
) -> Result<Option<Webhook>, ApiError> {
    match webhooks::read(&caller.context(), id).await {
        Ok(webhook) => Ok(Some(webhook)),
        Err(WebhooksError::WebhookNotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
