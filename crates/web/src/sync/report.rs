//! `PATCH /sync-status/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use super::json::{SyncJson, report_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = report_draft(&body.object()?);
    let sync = sync::report(&caller.context(), id, &draft).await?;
    Ok(envelope::ok(&SyncJson::from(&sync)))
}
