//! Read one integration.

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync;

use super::json::IntegrationJson;
use super::shapes::INTEGRATION;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    INTEGRATIONS
        .on(GET, "/integrations/{id}", handle)
        .operation("readIntegration", "Read one integration", Success::One(INTEGRATION))
        .details("The integration with its own texts for merge tags.")
}

async fn handle(caller: Caller, PathId(id): PathId<IntegrationId>) -> Answer {
    let integration = sync::read_integration(&caller.context(), id).await?;
    Ok(envelope::ok(&IntegrationJson::from(&integration)))
}
