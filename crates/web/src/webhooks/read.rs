//! Read one webhook.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use super::json::WebhookJson;
use super::shapes::WEBHOOK;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    WEBHOOKS
        .on(GET, "/webhooks/{id}", handle)
        .operation("readWebhook", "Read one webhook", Success::One(WEBHOOK))
        .details("The webhook without its secret, and how its receiver does.")
}

async fn handle(caller: Caller, PathId(id): PathId<WebhookId>) -> Answer {
    let webhook = webhooks::read(&caller.context(), id).await?;
    Ok(envelope::ok(&WebhookJson::from(&webhook)))
}
