//! `DELETE /webhooks/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<WebhookId>,
) -> Result<HttpResponse, ApiError> {
    webhooks::delete(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
