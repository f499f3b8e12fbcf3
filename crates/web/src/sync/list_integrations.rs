//! List integrations.

use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync;

use super::json::IntegrationJson;
use super::shapes::INTEGRATION;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    INTEGRATIONS
        .on(GET, "/integrations", handle)
        .operation("listIntegrations", "List integrations", Success::Page(INTEGRATION))
        .details("In the order of their creation.")
}

async fn handle(caller: Caller, Asked(page): Asked<PageRequest>) -> Answer {
    let page = sync::list_integrations(&caller.context(), page).await?;
    let data: Vec<_> = page.items.iter().map(IntegrationJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
