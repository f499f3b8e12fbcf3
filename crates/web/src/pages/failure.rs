//! Errors as pages.

use actix_web::http::header::{ACCEPT, RETRY_AFTER};
use actix_web::http::{Method, StatusCode};
use actix_web::{Error, HttpMessage as _, HttpRequest, HttpResponse};
use askama::Template;

use super::frame::Frame;
use super::gone::Gone;
use super::label::{label, labelled};
use super::resend::{Resend, Stale};
use super::words::in_page_words;
use super::{headers, respond};
use crate::error::{ApiError, Code};
use crate::middleware::log;

#[derive(Template)]
#[template(path = "failure.html")]
struct Failure {
    frame: Frame,
    status: u16,
    heading: &'static str,
    sentences: Vec<String>,
    /// The form that was not executed.
    again: Option<Resend>,
    /// Where the page leads: a name and an address.
    back: (&'static str, &'static str),
}

/// The page of an error, in the person's frame.
pub(crate) fn failure(error: &Error, frame: Frame, request: &HttpRequest) -> HttpResponse {
    match error.as_error::<ApiError>() {
        Some(error) => drawn(error, frame, request),
        None => drawn(&foreign(error.as_response_error().status_code()), frame, request),
    }
}

/// The page for an unknown address, for browsers.
pub(crate) fn not_found(request: &HttpRequest) -> Option<HttpResponse> {
    for_browser(request, Code::NotFound)
}

/// The page for an address that only receives a form, for browsers that open it.
pub(crate) fn form_only(request: &HttpRequest) -> Option<HttpResponse> {
    let is_opened = matches!(*request.method(), Method::GET | Method::HEAD);
    for_browser(request, Code::MethodNotAllowed).filter(|_page| is_opened)
}

fn for_browser(request: &HttpRequest, code: Code) -> Option<HttpResponse> {
    let accepts = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    let is_browser = accepts.is_some_and(|types| types.contains("text/html"));
    (is_browser && !request.path().starts_with("/api/")).then(|| {
        let mut response = drawn(&code.into(), Frame::bare(heading(code.status())), request);
        headers::protect(response.headers_mut());
        response
    })
}

/// The page of an error. If the same form may be executed a little later, it can be sent again from there.
pub(crate) fn drawn(error: &ApiError, frame: Frame, request: &HttpRequest) -> HttpResponse {
    log(error);
    let status = error.status();
    let gone = Gone::of(error, request);
    let back = gone.as_ref().map_or(("the start", "/"), |gone| gone.list);
    let (heading, sentences) = match gone {
        Some(gone) => (gone.heading, vec![gone.sentence]),
        None if request.extensions().contains::<Stale>() => {
            ("Your session has changed", sentences(error))
        }
        None => (heading(status), sentences(error)),
    };
    let again = Resend::of(request, status);
    let frame = Frame { title: heading.to_owned(), ..frame };
    let page = Failure { frame, status: status.as_u16(), heading, sentences, again, back };
    let mut response =
        respond::page_with(status, &page).unwrap_or_else(|_never| HttpResponse::new(status));
    if let Some(wait) = error.retry_after() {
        response.headers_mut().insert(RETRY_AFTER, wait);
    }
    response
}

fn foreign(status: StatusCode) -> ApiError {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => Code::PayloadTooLarge.into(),
        StatusCode::NOT_FOUND => Code::NotFound.into(),
        status if status.is_client_error() => ApiError::unreadable_body("could not be read"),
        _ => Code::InternalError.into(),
    }
}

fn heading(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "Page not found",
        StatusCode::METHOD_NOT_ALLOWED => "This address only receives a form",
        StatusCode::FORBIDDEN => "You don't have access",
        StatusCode::UNAUTHORIZED => "Sign in first",
        StatusCode::TOO_MANY_REQUESTS => "Too many attempts",
        StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED => "This can't be done now",
        StatusCode::SERVICE_UNAVAILABLE => "The service can't answer right now",
        status if status.is_server_error() => "The service failed",
        _ => "This request can't be read",
    }
}

/// A time to wait in words.
fn wait(seconds: i64) -> String {
    match seconds {
        1 => "1 second".to_owned(),
        ..120 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds.saturating_add(59) / 60),
    }
}

fn sentences(error: &ApiError) -> Vec<String> {
    match error {
        ApiError::Application { code: Code::AccessDenied, message, .. }
            if message == Code::AccessDenied.message() =>
        {
            vec![
                "You don't have the permission for this page, or your company has no product access."
                    .to_owned(),
                "An administrator can grant it under Admin, Company.".to_owned(),
            ]
        }
        ApiError::Application { code: Code::MethodNotAllowed, .. } => {
            vec!["Go back to the page with the form.".to_owned()]
        }
        ApiError::Application { message, .. } => vec![in_page_words(message)],
        ApiError::OpenSyncs { code, .. } => vec![code.message().to_owned()],
        ApiError::RateLimited(rate_limit) => {
            vec![format!("Try again in {}.", wait(rate_limit.wait_seconds))]
        }
        ApiError::Validation(violations) => violations
            .iter()
            .flat_map(|(path, messages)| {
                messages.iter().map(move |message| labelled(&label(path), message))
            })
            .collect(),
    }
}
