//! The document as it is served: written once for each server, since it changes only with the program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, ContentType, ETag, EntityTag, HeaderValue};
use actix_web::web::{Bytes, Data};

use super::document;
use crate::error::{ApiError, Code};
use crate::extract::Conditions;
use crate::state::WebState;

/// May be kept, and is asked for anew each time.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// The document of one server, written when it is first asked for.
#[derive(Debug, Default)]
pub struct ServedDocument(OnceLock<Written>);

#[derive(Debug)]
struct Written {
    json: Bytes,
    tag: EntityTag,
}

impl ServedDocument {
    fn of(&self, public_url: &str) -> Result<&Written, ApiError> {
        if let Some(written) = self.0.get() {
            return Ok(written);
        }
        let json = document(public_url).to_json().map_err(|_unwritable| Code::InternalError)?;
        let mut hasher = DefaultHasher::new();
        json.hash(&mut hasher);
        let tag = EntityTag::new_strong(format!("{:x}", hasher.finish()));
        Ok(self.0.get_or_init(|| Written { json: json.into(), tag }))
    }
}

/// `GET /openapi.json`
pub(crate) async fn json(
    state: Data<WebState>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let Written { json, tag } = state.openapi.of(&state.public_url)?;
    let seen = conditions.has_seen(tag);
    let mut response = if seen { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((CACHE_CONTROL, REVALIDATE)).insert_header(ETag(tag.clone()));
    if seen {
        return Ok(response.finish());
    }
    Ok(response.content_type(ContentType::json()).body(json.clone()))
}
