//! `POST /deliveries/recover`

use actix_web::HttpResponse;

use contact_hub_domain::webhooks;

use super::json::{RecoveryJson, recovery_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = recovery_draft(&body.object()?);
    let recovered = webhooks::recover(&caller.context(), &draft).await?;
    Ok(envelope::accepted(&RecoveryJson { recovered }))
}
