//! End the old secrets.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    WEBHOOKS
        .on(DELETE, "/webhooks/{id}/previous-secrets", handle)
        .operation("endPreviousSecrets", "End the old secrets", Success::Nothing)
        .details("From now on deliveries are signed with the current secret alone.")
}

async fn handle(caller: Caller, PathId(id): PathId<WebhookId>) -> Answer {
    webhooks::end_previous_secrets(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
