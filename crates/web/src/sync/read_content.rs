//! Read the content of an asset.

use actix_web::http::header::EntityTag;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, Content, ContentQuery};

use super::json::ContentJson;
use super::shapes::CONTENT;
use crate::endpoint::prelude::*;

/// What reading and converting an asset takes, in bytes; few take as much.
const WEIGHT: usize = 8 << 20;

pub(crate) fn endpoint() -> Endpoint {
    CUSTOM_PLATFORM
        .on(GET, "/assets/{id}/content", handle)
        .operation("readContent", "Read the content of an asset", Success::Versioned(CONTENT))
        .details(
            "Metadata, HTML and plain text, with the merge tags in the syntax of a platform. \
             The link in an event leads here.",
        )
        .fails(&[Code::IntegrationNotFound])
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
    Asked(query): Asked<ContentQuery>,
    conditions: Conditions,
) -> Answer {
    let read = caller.work(WEIGHT, |caller| async move {
        let content = sync::read_content(&caller.context(), id, query).await?;
        let tag = EntityTag::new_strong(content.version());
        let is_known = conditions.has_seen(&tag);
        let json = if is_known { None } else { Some(write(&content)?) };
        Ok((tag, json))
    });
    let (tag, json) = read.await?;
    Ok(match json {
        Some(json) => envelope::tagged(json, tag),
        None => envelope::unchanged(tag),
    })
}

/// The body of the answer.
fn write(content: &Content) -> Result<String, ApiError> {
    envelope::written(&ContentJson::new(content, content.render()?))
}
