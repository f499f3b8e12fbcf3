//! `GET /assets/{id}/content`

use actix_web::http::header::EntityTag;
use actix_web::{HttpRequest, HttpResponse, web};

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, Content, SyncError};

use super::json::ContentJson;
use crate::envelope;
use crate::error::{ApiError, Code};
use crate::extract::{Caller, Conditions, PathId};

pub(crate) async fn handle(
    caller: Caller,
    id: PathId,
    request: HttpRequest,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let id = AssetId::parse(id.as_str()).ok_or(SyncError::AssetNotFound)?;
    let content = sync::read_content(&caller.context(), id, request.query_string()).await?;
    let tag = EntityTag::new_strong(content.version());
    if conditions.has_seen(&tag) {
        return Ok(envelope::unchanged(tag));
    }
    // Megabytes are converted and written: no work for a thread on which others wait.
    let written = web::block(move || write(&content)).await;
    let json = written.map_err(|_cancelled| ApiError::from(Code::InternalError))??;
    Ok(envelope::tagged(json, tag))
}

/// The body of the answer.
fn write(content: &Content) -> Result<String, ApiError> {
    envelope::written(&ContentJson::new(content, content.render()?))
}
