//! `POST /integrations`

use actix_web::HttpResponse;

use contact_hub_domain::sync;

use super::json::{IntegrationJson, integration_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = integration_draft(&body.object()?);
    let integration = sync::create_integration(&caller.context(), &draft).await?;
    let location = caller.manage_url(&format!("/integrations/{}", integration.id));
    Ok(envelope::created(&IntegrationJson::from(&integration), &location))
}
