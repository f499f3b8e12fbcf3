//! `POST /webhooks/{id}/test`

use actix_web::HttpResponse;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{self, WebhooksError};

use super::json::TestAttemptJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(caller: Caller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = WebhookId::parse(id.as_str()).ok_or(WebhooksError::WebhookNotFound)?;
    let sent = webhooks::test(&caller.context(), id).await?;
    Ok(envelope::ok(&TestAttemptJson::from(&sent)))
}
