//! The envelopes of successful answers.

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue, LOCATION};
use serde::Serialize;

/// Data belongs to its caller and is not kept by anything on the way.
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("private, no-store");

#[derive(Serialize)]
struct Data<'a, T> {
    data: &'a T,
}

/// 200 with `data`.
pub(crate) fn ok<T: Serialize>(data: &T) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .json(Data { data })
}

/// 201 with `data` and where it now is.
pub(crate) fn created<T: Serialize>(data: &T, location: &str) -> HttpResponse {
    HttpResponse::Created()
        .insert_header((CACHE_CONTROL, NO_STORE))
        .insert_header((LOCATION, location))
        .json(Data { data })
}
