//! `GET /assets/{id}/preview`: the asset's HTML by itself, for a sandboxed frame.

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, ContentType};

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::headers::FOREIGN;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<AssetId>) -> Answer {
    let detail = sync::read_asset(&caller.context(), id).await?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::html())
        .insert_header((CONTENT_SECURITY_POLICY, FOREIGN))
        .body(detail.asset.html.as_str().to_owned()))
}
