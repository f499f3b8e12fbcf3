//! Read the content of an asset.

use actix_web::http::header::EntityTag;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, ContentQuery};

use super::json::ContentJson;
use super::shapes::CONTENT;
use crate::endpoint::prelude::*;

/// The memory that reading and converting an asset needs, in bytes; few assets need as much.
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
    let read = caller.work(WEIGHT, |caller| read(caller, id, query, conditions));
    Ok(match read.await? {
        (tag, Some(json)) => envelope::tagged(json, tag),
        (tag, None) => envelope::unchanged(tag),
    })
}

/// The tag of the content, and the body of the answer unless the client has it already.
async fn read(
    caller: Caller,
    id: AssetId,
    query: ContentQuery,
    conditions: Conditions,
) -> Result<(EntityTag, Option<String>), ApiError> {
    let content = sync::read_content(&caller.context(), id, query).await?;
    let tag = EntityTag::new_strong(content.version());
    let write = || envelope::written(&ContentJson::new(&content, content.render()?));
    let json = if conditions.has_seen(&tag) { None } else { Some(write()?) };
    Ok((tag, json))
}
