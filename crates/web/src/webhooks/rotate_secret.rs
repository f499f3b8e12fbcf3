//! `POST /webhooks/{id}/rotate-secret`

use actix_web::HttpResponse;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{self, WebhooksError};

use super::json::{WebhookWithSecretJson, rotation_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    id: PathId,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = rotation_draft(&body.object_or_empty()?);
    let id = WebhookId::parse(id.as_str()).ok_or(WebhooksError::WebhookNotFound)?;
    let rotated = webhooks::rotate_secret(&caller.context(), id, &draft).await?;
    Ok(envelope::ok(&WebhookWithSecretJson::new(&rotated.webhook, &rotated.secret)))
}
