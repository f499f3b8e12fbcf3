//! Around every request: its id, its span, its figures, and an answer in the right envelope regardless of what happened
//! inside.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use actix_http::{ConnectionType, ResponseHead};
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse, web};
use contact_hub_traces::Span;
use futures_util::FutureExt;
use tracing::Instrument;

use super::unread::Unread;
use super::{answer, render};
use crate::error::{ApiError, Code};
use crate::origin::Origin;
use crate::request_id::{REQUEST_ID, RequestId};
use crate::state::WebState;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Wraps the whole application.
pub(crate) async fn observe(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let state = request.app_data::<web::Data<WebState>>().cloned();
    let Some(state) = state else {
        return Err(ApiError::from(Code::InternalError).into());
    };
    let id = RequestId::choose(&request, state.ports.environment.ids.as_ref());
    request.extensions_mut().insert(id.clone());
    let client = Origin::find(&request, &state.trusted_proxies).address;
    let span = tracing::info_span!("request", id = %id, client = %client);
    let started = Instant::now();
    let unread = Unread::of(&mut request);
    let in_flight = state.requests.start();
    let method = method_label(request.method().as_str());
    let trace = trace(&request, method);
    let answered = trace.around(answer(request, next, &state)).instrument(span.clone()).await;
    drop(in_flight);
    let (route, status) = route_and_status(&answered);
    contact_hub_traces::answered(&trace, method, &route, status.as_u16());
    let elapsed = started.elapsed();
    state.requests.answered(method, &route, status.as_u16(), elapsed);
    span.in_scope(|| log(method, &route, status, elapsed, &trace));
    let keep = |body| Unread::kept_by(unread, body);
    match answered {
        Ok(mut response) => {
            response.headers_mut().insert(REQUEST_ID, id.header());
            let is_last = is_last(response.status(), &state);
            close_if(is_last, response.response_mut().head_mut());
            Ok(response.map_body(|_head, body| keep(body)))
        }
        Err(mut own) => {
            own.headers_mut().insert(REQUEST_ID, id.header());
            close_if(is_last(own.status(), &state), own.head_mut());
            let own = own.map_body(|_head, body| keep(body));
            Err(InternalError::from_response("no route answered", own).into())
        }
    }
}

fn route_and_status(
    answered: &Result<ServiceResponse<BoxBody>, HttpResponse>,
) -> (String, StatusCode) {
    let (route, status) = match answered {
        Ok(response) => (response.request().match_pattern(), response.status()),
        Err(own) => (None, own.status()),
    };
    (route.unwrap_or_else(|| "unmatched".to_owned()), status)
}

/// The span of a request in its trace.
fn trace(request: &ServiceRequest, method: &'static str) -> Span {
    let caller = request.headers().get(&TRACEPARENT).and_then(|value| value.to_str().ok());
    contact_hub_traces::request(method, caller)
}

/// Whether the connection closes after an answer: the rest of a slow body is not awaited, and a stopping service accepts
/// no further calls.
fn is_last(status: StatusCode, state: &WebState) -> bool {
    status == StatusCode::REQUEST_TIMEOUT || state.stopping.has_begun()
}

fn close_if(is_last: bool, head: &mut ResponseHead) {
    if is_last {
        head.set_connection_type(ConnectionType::Close);
    }
}

/// The answer of a route, or one of our own if it failed. The request must not be kept while the router matches it.
async fn answer(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    state: &WebState,
) -> Result<ServiceResponse<BoxBody>, HttpResponse> {
    match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(Ok(response)) => {
            let response = render::render(response.map_into_boxed_body(), state);
            answer::hold(response, state)
                .map_err(|spent| render::response_of(&ApiError::from(spent).into(), state))
        }
        Ok(Err(error)) => Err(render::response_of(&error, state)),
        Err(_panic) => Err(render::response_of(&ApiError::from(Code::InternalError).into(), state)),
    }
}

fn log(method: &'static str, route: &str, status: StatusCode, elapsed: Duration, trace: &Span) {
    let (status, trace) = (status.as_u16(), trace.trace_id());
    let duration_us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    tracing::info!(method, route, status, duration_us, trace, "answered");
}

/// Clients may invent methods, which must not become labels of metrics.
fn method_label(method: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == method).unwrap_or("other")
}
