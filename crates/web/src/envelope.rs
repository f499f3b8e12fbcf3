//! The envelopes of successful answers.

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, ContentType, ETag, EntityTag, HeaderValue, LOCATION};
use serde::Serialize;
use utoipa::ToSchema;

use contact_hub_domain::page::{PageMeta, PageRequest};

use crate::error::{ApiError, Code};
use crate::extract::Conditions;

/// Data belongs to its caller, and no cache may store it.
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("private, no-store");

#[derive(Serialize)]
struct Data<'a, T> {
    data: &'a T,
}

/// 200 with `data`.
pub(crate) fn ok<T: Serialize>(data: &T) -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, NO_STORE)).json(Data { data })
}

/// 200 with `data` and its tag, or 304 for a client that has the version with this tag.
pub(crate) fn versioned<T: Serialize>(
    data: &T,
    tag: EntityTag,
    conditions: &Conditions,
) -> HttpResponse {
    let seen = conditions.has_seen(&tag);
    let mut response = if seen { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((CACHE_CONTROL, NO_STORE)).insert_header(ETag(tag));
    if seen { response.finish() } else { response.json(Data { data }) }
}

/// 200 with `data` after a change, and its new tag.
pub(crate) fn changed<T: Serialize>(data: &T, tag: EntityTag) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .insert_header(ETag(tag))
        .json(Data { data })
}

#[derive(Serialize)]
struct PageData<'a, T, M> {
    data: &'a [T],
    meta: &'a M,
}

/// The place of a page in its list.
#[derive(Serialize, ToSchema)]
#[schema(as = PageMeta)]
pub(crate) struct Meta {
    #[schema(minimum = 1)]
    current_page: u64,
    #[schema(minimum = 1)]
    per_page: u32,
    total: u64,
    #[schema(minimum = 1)]
    last_page: u64,
    /// The place of the page's first item in the whole list, from 1; 0 when the page is empty.
    from: u64,
    /// The place of its last item; 0 when the page is empty.
    to: u64,
}

impl From<PageMeta> for Meta {
    fn from(meta: PageMeta) -> Self {
        let PageMeta { current_page, per_page, total, last_page, from, to } = meta;
        Self { current_page, per_page, total, last_page, from, to }
    }
}

/// The position of a page in a list whose items were not counted.
#[derive(Serialize)]
pub(crate) struct UncountedMeta {
    current_page: u64,
    per_page: u32,
    total: (),
    last_page: (),
    from: u64,
    to: u64,
}

impl UncountedMeta {
    /// For a page with this many items.
    pub(crate) fn new(page: PageRequest, items: usize) -> Self {
        let items = u64::try_from(items).unwrap_or(u64::MAX);
        let PageMeta { current_page, per_page, from, to, .. } = PageMeta::new(page, 0, items);
        Self { current_page, per_page, total: (), last_page: (), from, to }
    }
}

/// Where a list that is read by cursors goes on.
#[derive(Serialize, ToSchema)]
#[schema(as = CursorMeta)]
pub(crate) struct CursorMeta {
    #[schema(minimum = 1)]
    pub(crate) per_page: u32,
    /// The `page[after]` of the next page; null on the page with the last item.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// 200 with `data` and the `meta` of a page.
pub(crate) fn page<T: Serialize>(data: &[T], meta: PageMeta) -> HttpResponse {
    with_meta(data, &Meta::from(meta))
}

/// 200 with `data` and any `meta`.
pub(crate) fn with_meta<T: Serialize>(data: &[T], meta: &impl Serialize) -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, NO_STORE)).json(PageData { data, meta })
}

/// Where a feed continues.
#[derive(Serialize, ToSchema)]
pub(crate) struct Next<'a> {
    /// The cursor of the next call.
    next: &'a str,
}

/// 200 with `data` and the cursor of the following entries.
pub(crate) fn feed<T: Serialize>(data: &[T], next: &str) -> HttpResponse {
    with_meta(data, &Next { next })
}

/// 201 with `data`, its location and its tag.
pub(crate) fn created_versioned<T: Serialize>(
    data: &T,
    location: &str,
    tag: EntityTag,
) -> HttpResponse {
    HttpResponse::Created()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .insert_header((LOCATION, location))
        .insert_header(ETag(tag))
        .json(Data { data })
}

/// 202 with `data`.
pub(crate) fn accepted<T: Serialize>(data: &T) -> HttpResponse {
    HttpResponse::Accepted().insert_header((CACHE_CONTROL, NO_STORE)).json(Data { data })
}

/// The body with `data`, for data that takes too long to serialize on a thread that others need.
pub(crate) fn written<T: Serialize>(data: &T) -> Result<String, ApiError> {
    serde_json::to_string(&Data { data }).map_err(|_never| Code::InternalError.into())
}

/// The same with `meta`.
pub(crate) fn written_with_meta<T: Serialize>(
    data: &[T],
    meta: &impl Serialize,
) -> Result<String, ApiError> {
    serde_json::to_string(&PageData { data, meta }).map_err(|_never| Code::InternalError.into())
}

/// 200 with a serialized body.
pub(crate) fn ok_written(json: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .content_type(ContentType::json())
        .body(json)
}

/// 200 with a serialized body and its version.
pub(crate) fn tagged(json: String, version: EntityTag) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .insert_header(ETag(version))
        .content_type(ContentType::json())
        .body(json)
}

/// 304 for a client that has this version.
pub(crate) fn unchanged(version: EntityTag) -> HttpResponse {
    HttpResponse::NotModified()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .insert_header(ETag(version))
        .finish()
}

/// 201 with `data` and its location.
pub(crate) fn created<T: Serialize>(data: &T, location: &str) -> HttpResponse {
    HttpResponse::Created()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .insert_header((LOCATION, location))
        .json(Data { data })
}
