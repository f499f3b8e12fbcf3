//! `POST /assets`

use actix_web::HttpResponse;

use contact_hub_domain::sync;

use super::json::{AssetJson, asset_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{ASSET_BODY, Body, Caller};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<ASSET_BODY>,
) -> Result<HttpResponse, ApiError> {
    let made = caller.work(body.weight(), |caller| async move {
        let draft = asset_draft(&body.object()?);
        drop(body);
        Ok(sync::create_asset(&caller.context(), &draft).await?)
    });
    let detail = made.await?;
    let location = caller.manage_url(&format!("/assets/{}", detail.asset.id));
    Ok(envelope::created(&AssetJson::from(&detail), &location))
}
