//! The names of the webhooks of deliveries.

use std::collections::HashMap;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{self, WebhookName, WebhooksError};

use crate::error::ApiError;
use crate::pages::caller::PageCaller;

/// The names of the company's webhooks.
pub(super) struct WebhookNames(HashMap<WebhookId, WebhookName>);

impl WebhookNames {
    /// Reads them in one query.
    pub(super) async fn of(caller: &PageCaller) -> Result<Self, ApiError> {
        Ok(Self(webhooks::names(&caller.context()).await?.into_iter().collect()))
    }

    /// The name of a webhook; its id once it is deleted.
    pub(super) fn name(&self, id: WebhookId) -> String {
        self.0.get(&id).map_or_else(|| id.to_string(), |name| name.as_str().to_owned())
    }
}

/// The name of one webhook; its id once it is deleted.
pub(super) async fn name(caller: &PageCaller, id: WebhookId) -> Result<String, ApiError> {
    match webhooks::read(&caller.context(), id).await {
        Ok(webhook) => Ok(webhook.name.as_str().to_owned()),
        Err(WebhooksError::WebhookNotFound) => Ok(id.to_string()),
        Err(error) => Err(error.into()),
    }
}
