//! `POST /webhooks/{id}/rotate-secret`

use actix_web::HttpResponse;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use super::json::{WebhookWithSecretJson, rotation_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<WebhookId>,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = rotation_draft(&body.object_or_empty()?);
    let rotated = webhooks::rotate_secret(&caller.context(), id, &draft).await?;
    Ok(envelope::ok(&WebhookWithSecretJson::new(&rotated.webhook, &rotated.secret)))
}
