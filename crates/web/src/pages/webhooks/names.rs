//! What the webhooks of deliveries are called.

use std::collections::HashMap;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{self, WebhooksError};

use crate::error::ApiError;
use crate::pages::caller::PageCaller;

/// The names of the company's webhooks, as far as one page of them has them.
pub(super) struct WebhookNames(HashMap<WebhookId, String>);

impl WebhookNames {
    /// Asks for them, all at once.
    pub(super) async fn of(caller: &PageCaller) -> Result<Self, ApiError> {
        let found = webhooks::list(&caller.context(), "page[size]=100").await?;
        let names = found.items.into_iter().map(|it| (it.id, it.name.as_str().to_owned()));
        Ok(Self(names.collect()))
    }

    /// What a webhook is called; its id where it is among those without a name here, or was deleted.
    pub(super) fn name(&self, id: WebhookId) -> String {
        self.0.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }
}

/// What one webhook is called; its id once it is deleted.
pub(super) async fn name(caller: &PageCaller, id: WebhookId) -> Result<String, ApiError> {
    match webhooks::read(&caller.context(), id).await {
        Ok(webhook) => Ok(webhook.name.as_str().to_owned()),
        Err(WebhooksError::WebhookNotFound) => Ok(id.to_string()),
        Err(error) => Err(error.into()),
    }
}
