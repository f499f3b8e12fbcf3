//! `GET /integrations/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync;

use super::json::IntegrationJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<IntegrationId>,
) -> Result<HttpResponse, ApiError> {
    let integration = sync::read_integration(&caller.context(), id).await?;
    Ok(envelope::ok(&IntegrationJson::from(&integration)))
}
