//! Change a webhook.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use super::json::{WebhookJson, WebhookWithSecretJson, webhook_draft};
use super::shapes::{WEBHOOK_CHANGE, WEBHOOK_MAYBE_WITH_SECRET};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    WEBHOOKS
        .on(PATCH, "/webhooks/{id}", handle)
        .operation("changeWebhook", "Change a webhook", Success::One(WEBHOOK_MAYBE_WITH_SECRET))
        .details(
            "What is absent stays. Switching it off skips what was to be delivered, switching \
             it on makes it well again. A new secret counts as a rotation with a grace of a \
             day, and is shown this once.",
        )
        .reads(WEBHOOK_CHANGE)
        .answers_secret()
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<WebhookId>,
    body: Body<STANDARD_BODY>,
) -> Answer {
    let draft = webhook_draft(&body.object()?);
    let (webhook, secret) = webhooks::change(&caller.context(), id, &draft).await?;
    Ok(match secret {
        Some(secret) => envelope::ok(&WebhookWithSecretJson::new(&webhook, &secret)),
        None => envelope::ok(&WebhookJson::from(&webhook)),
    })
}
