//! `GET /openapi.json` and `GET /openapi-3.0.json`

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, ContentType, ETag, HeaderValue};
use actix_web::web::Data;

use super::served::Written;
use super::version::OpenApiVersion;
use crate::error::ApiError;
use crate::extract::Conditions;
use crate::state::WebState;

/// Clients may store the document, and revalidate it each time.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

pub(crate) async fn current(
    state: Data<WebState>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    answer(&state, &conditions, OpenApiVersion::Current)
}

pub(crate) async fn older(
    state: Data<WebState>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    answer(&state, &conditions, OpenApiVersion::Older)
}

fn answer(
    state: &WebState,
    conditions: &Conditions,
    version: OpenApiVersion,
) -> Result<HttpResponse, ApiError> {
    let Written { json, tag } = state.openapi.of(version, || version.write(&state.public_url))?;
    let seen = conditions.has_seen(tag);
    let mut response = if seen { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((CACHE_CONTROL, REVALIDATE)).insert_header(ETag(tag.clone()));
    if seen {
        return Ok(response.finish());
    }
    Ok(response.content_type(ContentType::json()).body(json.clone()))
}
