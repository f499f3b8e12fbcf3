//! `PATCH /webhooks/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use super::json::{WebhookJson, WebhookWithSecretJson, webhook_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<WebhookId>,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = webhook_draft(&body.object()?);
    let (webhook, secret) = webhooks::change(&caller.context(), id, &draft).await?;
    Ok(match secret {
        Some(secret) => envelope::ok(&WebhookWithSecretJson::new(&webhook, &secret)),
        None => envelope::ok(&WebhookJson::from(&webhook)),
    })
}
