//! Create an integration.

use contact_hub_domain::sync;

use super::json::{IntegrationJson, integration_draft};
use super::shapes::{INTEGRATION, INTEGRATION_INPUT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    INTEGRATIONS
        .on(POST, "/integrations", handle)
        .operation("createIntegration", "Create an integration", Success::Created(INTEGRATION))
        .details("A text that a merge tag is mapped to goes out as it was entered.")
        .reads(INTEGRATION_INPUT)
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    let draft = integration_draft(&body.object()?);
    let integration = sync::create_integration(&caller.context(), &draft).await?;
    let location = caller.manage_url(&format!("/integrations/{}", integration.id));
    Ok(envelope::created(&IntegrationJson::from(&integration), &location))
}
