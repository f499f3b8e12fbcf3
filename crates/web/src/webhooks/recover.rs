//! Deliver again what failed.

use contact_hub_domain::webhooks;

use super::json::{RecoveryJson, recovery_draft};
use super::shapes::{RECOVERY, RECOVERY_INPUT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    DELIVERIES
        .on(POST, "/deliveries/recover", handle)
        .operation("recoverDeliveries", "Deliver again what failed", Success::Accepted(RECOVERY))
        .details(
            "Every delivery to the webhook that became `exhausted` or `skipped` since then. Those \
             whose sync is no longer open become `cancelled`. Tests and what was cancelled are left \
             out.",
        )
        .reads(RECOVERY_INPUT)
        .fails(&[Code::WebhookNotFound])
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    let draft = recovery_draft(&body.object()?);
    let recovered = webhooks::recover(&caller.context(), &draft).await?;
    Ok(envelope::accepted(&RecoveryJson { recovered }))
}
