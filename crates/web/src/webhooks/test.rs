//! `POST /webhooks/{id}/test`

use actix_web::HttpResponse;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use super::json::TestAttemptJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<WebhookId>,
) -> Result<HttpResponse, ApiError> {
    let sent = webhooks::test(&caller.context(), id).await?;
    Ok(envelope::ok(&TestAttemptJson::from(&sent)))
}
