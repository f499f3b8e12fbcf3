//! The answers of pages: a rendered page, or a redirect.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{ContentType, LOCATION};
use askama::Template;

use contact_hub_domain::ids::ContactId;

use super::caller::PageCaller;
use super::cookies;
use super::notice::{Notice, counted};
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

/// Redirects to another page, which shows the notice.
pub(crate) fn done(caller: &PageCaller, location: &str, notice: Notice) -> HttpResponse {
    noticed(caller, location, notice.code())
}

/// The same with the number of contacts that it is about, and those that the person may restore.
pub(crate) fn done_with(
    caller: &PageCaller,
    location: &str,
    notice: Notice,
    count: u64,
    undo: &[ContactId],
) -> HttpResponse {
    noticed(caller, location, &counted(notice, count, undo))
}

fn noticed(caller: &PageCaller, location: &str, kept: &str) -> HttpResponse {
    let mut response = see(location);
    // The name and the value have only characters that a cookie allows.
    response.add_cookie(&cookies::notice_cookie(caller.who.is_secure, kept)).ok();
    response
}

/// Redirects to another page.
pub(crate) fn see(location: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, location)).finish()
}
