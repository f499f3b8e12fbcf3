//! Create a webhook.

use contact_hub_domain::webhooks;

use super::json::{WebhookWithSecretJson, webhook_draft};
use super::shapes::{WEBHOOK_INPUT, WEBHOOK_WITH_SECRET};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    WEBHOOKS
        .on(POST, "/webhooks", handle)
        .operation("createWebhook", "Create a webhook", Success::Created(WEBHOOK_WITH_SECRET))
        .details("The secret is shown this once. It is generated when none is given.")
        .reads(WEBHOOK_INPUT)
        .answers_secret()
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    let created = webhooks::create(&caller.context(), &webhook_draft(&body.object()?)).await?;
    let location = caller.manage_url(&format!("/webhooks/{}", created.webhook.id));
    let data = WebhookWithSecretJson::new(&created.webhook, &created.secret);
    Ok(envelope::created(&data, &location))
}
