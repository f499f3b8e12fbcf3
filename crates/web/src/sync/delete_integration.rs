//! `DELETE /integrations/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync::{self, SyncError};

use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(caller: Caller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = IntegrationId::parse(id.as_str()).ok_or(SyncError::IntegrationNotFound)?;
    sync::delete_integration(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
