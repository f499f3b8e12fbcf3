//! Delete a webhook.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    WEBHOOKS
        .on(DELETE, "/webhooks/{id}", handle)
        .operation("deleteWebhook", "Delete a webhook", Success::Nothing)
        .details(
            "What was to be delivered to it is cancelled, and stays to be seen without its \
             payload.",
        )
}

async fn handle(caller: Caller, PathId(id): PathId<WebhookId>) -> Answer {
    webhooks::delete(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
