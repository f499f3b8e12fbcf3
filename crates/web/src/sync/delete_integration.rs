//! Delete an integration.

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync;

use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    INTEGRATIONS
        .on(DELETE, "/integrations/{id}", handle)
        .operation("deleteIntegration", "Delete an integration", Success::Nothing)
        .details(
            "Its syncs stay. Open ones are closed, and deliveries that tell of them are \
             cancelled.",
        )
}

async fn handle(caller: Caller, PathId(id): PathId<IntegrationId>) -> Answer {
    sync::delete_integration(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
