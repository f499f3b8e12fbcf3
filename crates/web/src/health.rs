//! Is the process alive, and can it do its work?

use actix_web::{HttpResponse, web};
use async_trait::async_trait;
use serde_json::json;

use crate::envelope;
use crate::error::{ApiError, Code};
use crate::state::WebState;

/// Tells whether the service can do its work: the database answers and its schema is current.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// `Ok`, or what is missing in one sentence without details of the operator's.
    async fn check(&self) -> Result<(), &'static str>;
}

pub(crate) async fn live() -> HttpResponse {
    envelope::ok(&json!({"status": "live"}))
}

pub(crate) async fn ready(state: web::Data<WebState>) -> Result<HttpResponse, ApiError> {
    match state.readiness.check().await {
        Ok(()) => Ok(envelope::ok(&json!({"status": "ready"}))),
        Err(missing) => Err(ApiError::new(Code::ServiceUnavailable, missing)),
    }
}

pub(crate) async fn metrics(state: web::Data<WebState>) -> Result<HttpResponse, ApiError> {
    let render = state.metrics.as_ref().ok_or_else(|| ApiError::from(Code::NotFound))?;
    Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(render()))
}
