//! `DELETE /integrations/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync;

use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<IntegrationId>,
) -> Result<HttpResponse, ApiError> {
    sync::delete_integration(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
