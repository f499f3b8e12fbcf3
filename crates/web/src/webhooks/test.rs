//! Send a test event.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use super::json::TestAttemptJson;
use super::shapes::TEST_ATTEMPT;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    WEBHOOKS
        .on(POST, "/webhooks/{id}/test", handle)
        .operation("testWebhook", "Send a test event", Success::One(TEST_ATTEMPT))
        .details(
            "Sends an event of the kind `test` at once, to a webhook that is on or off, and \
             answers with the attempt. It is never retried and touches no sync.",
        )
}

async fn handle(caller: Caller, PathId(id): PathId<WebhookId>) -> Answer {
    let sent = webhooks::test(&caller.context(), id).await?;
    Ok(envelope::ok(&TestAttemptJson::from(&sent)))
}
