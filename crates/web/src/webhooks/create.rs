//! `POST /webhooks`

use actix_web::HttpResponse;

use contact_hub_domain::webhooks;

use super::json::{WebhookWithSecretJson, webhook_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let created = webhooks::create(&caller.context(), &webhook_draft(&body.object()?)).await?;
    let location = caller.manage_url(&format!("/webhooks/{}", created.webhook.id));
    let data = WebhookWithSecretJson::new(&created.webhook, &created.secret);
    Ok(envelope::created(&data, &location))
}
