//! The answers of pages: a page drawn, or the way to another one.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{ContentType, LOCATION};
use askama::Template;

use super::caller::PageCaller;
use super::cookies;
use super::notice::Notice;
use crate::error::{Answer, Code};

/// 200 with a page.
pub(crate) fn page(template: &impl Template) -> Answer {
    page_with(StatusCode::OK, template)
}

/// A page under another status.
pub(crate) fn page_with(status: StatusCode, template: &impl Template) -> Answer {
    let html = template.render().map_err(|_never| Code::InternalError)?;
    Ok(HttpResponse::build(status).content_type(ContentType::html()).body(html))
}

/// On to another page, which says what was done.
pub(crate) fn done(caller: &PageCaller, location: &str, notice: Notice) -> HttpResponse {
    let mut response = see(location);
    // A name and a value without odd characters are always a cookie.
    response.add_cookie(&cookies::notice_cookie(caller.who.is_secure, notice.code())).ok();
    response
}

/// On to another page.
pub(crate) fn see(location: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, location)).finish()
}
