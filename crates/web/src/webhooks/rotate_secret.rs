//! Give a webhook a new secret.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use super::json::{WebhookWithSecretJson, rotation_draft};
use super::shapes::{ROTATION_INPUT, WEBHOOK_WITH_SECRET};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    WEBHOOKS
        .on(POST, "/webhooks/{id}/rotate-secret", handle)
        .operation("rotateSecret", "Give a webhook a new secret", Success::One(WEBHOOK_WITH_SECRET))
        .details(
            "The secret before it stays valid for `grace_seconds`, a day when none is input; \
             meanwhile deliveries are signed with both. The new one is shown this once. The \
             body may be left out.",
        )
        .reads(ROTATION_INPUT)
        .answers_secret()
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<WebhookId>,
    body: OptionalBody<STANDARD_BODY>,
) -> Answer {
    let draft = rotation_draft(&body.object()?);
    let rotated = webhooks::rotate_secret(&caller.context(), id, &draft).await?;
    Ok(envelope::ok(&WebhookWithSecretJson::new(&rotated.webhook, &rotated.secret)))
}
