//! Liveness, readiness and metrics.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::envelope;
use crate::error::{ApiError, Code};
use crate::state::WebState;
use crate::unavailable;

pub(crate) async fn live() -> HttpResponse {
    envelope::ok(&json!({"status": "live"}))
}

pub(crate) async fn ready(state: web::Data<WebState>) -> Result<HttpResponse, ApiError> {
    if state.stopping.has_begun() {
        unavailable::count(unavailable::STOPPING);
        return Err(ApiError::new(Code::ServiceUnavailable, "The service is stopping."));
    }
    match state.readiness.check().await {
        Ok(()) => Ok(envelope::ok(&json!({"status": "ready"}))),
        Err(missing) => {
            unavailable::count(unavailable::NOT_READY);
            Err(ApiError::new(Code::ServiceUnavailable, missing))
        }
    }
}

/// 404 for a client that may not read the metrics.
pub(crate) async fn metrics(
    state: web::Data<WebState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let served = state.metrics.as_ref().filter(|(access, _)| access.permits(&request));
    let (_, render) = served.ok_or_else(|| ApiError::from(Code::NotFound))?;
    Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(render()))
}
