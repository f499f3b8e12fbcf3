//! Change an integration.

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync;

use super::json::{IntegrationJson, integration_draft};
use super::shapes::{INTEGRATION, INTEGRATION_CHANGE};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    INTEGRATIONS
        .on(PATCH, "/integrations/{id}", handle)
        .operation("changeIntegration", "Change an integration", Success::One(INTEGRATION))
        .details("What is absent stays. A mapping is replaced as a whole; null clears it.")
        .reads(INTEGRATION_CHANGE)
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<IntegrationId>,
    body: Body<STANDARD_BODY>,
) -> Answer {
    let draft = integration_draft(&body.object()?);
    let integration = sync::change_integration(&caller.context(), id, draft).await?;
    Ok(envelope::ok(&IntegrationJson::from(&integration)))
}
