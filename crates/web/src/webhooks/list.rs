//! List webhooks.

use contact_hub_domain::page::PageRequest;
use contact_hub_domain::webhooks;

use super::json::WebhookJson;
use super::shapes::WEBHOOK;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    WEBHOOKS
        .on(GET, "/webhooks", handle)
        .operation("listWebhooks", "List webhooks", Success::Page(WEBHOOK))
        .details("In the order of their creation.")
}

async fn handle(caller: Caller, Asked(page): Asked<PageRequest>) -> Answer {
    let page = webhooks::list(&caller.context(), page).await?;
    let data: Vec<_> = page.items.iter().map(WebhookJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
