//! `DELETE /webhooks/{id}/previous-secrets`

use actix_web::HttpResponse;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{self, WebhooksError};

use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(caller: Caller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = WebhookId::parse(id.as_str()).ok_or(WebhooksError::WebhookNotFound)?;
    webhooks::end_previous_secrets(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
