//! `PATCH /integrations/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync;

use super::json::{IntegrationJson, integration_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<IntegrationId>,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = integration_draft(&body.object()?);
    let integration = sync::change_integration(&caller.context(), id, draft).await?;
    Ok(envelope::ok(&IntegrationJson::from(&integration)))
}
