//! `GET /integrations/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync::{self, SyncError};

use super::json::IntegrationJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(caller: Caller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = IntegrationId::parse(id.as_str()).ok_or(SyncError::IntegrationNotFound)?;
    let integration = sync::read_integration(&caller.context(), id).await?;
    Ok(envelope::ok(&IntegrationJson::from(&integration)))
}
