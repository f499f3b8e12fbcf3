//! The interactive reference. Its files are inside the binary, so it needs no network.

use std::sync::Arc;

use actix_web::http::header::{
    CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use utoipa_swagger_ui::{Config, serve};

use crate::error::{Answer, ApiError, Code};
use crate::pages::{self, Frame};
use crate::state::WebState;

/// The page's own scripts and styles alone; Swagger UI draws its icons from data addresses and styles elements directly.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Starts Swagger UI, with samples of each call.
const START: &str = include_str!("../../static/reference.js");

#[derive(Template)]
#[template(path = "docs/reference.html")]
struct ReferencePage {
    frame: Frame,
}

/// `GET /docs`
pub(crate) async fn page(state: web::Data<WebState>, request: HttpRequest) -> Answer {
    let frame = pages::docs_frame(&state, &request, "API reference").await;
    let html = ReferencePage { frame }.render().map_err(|_never| Code::InternalError)?;
    Ok(file("text/html; charset=utf-8", html.into_bytes()))
}

/// `GET /docs/{file}`. Swagger UI is compressed in the binary and sent so, which every browser accepts.
pub(crate) async fn asset(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let name = request.match_info().get("file").unwrap_or_default();
    if name == "reference.js" {
        return Ok(file("text/javascript; charset=utf-8", START.into()));
    }
    let found = serve(name, Arc::new(Config::default())).ok().flatten();
    let found = found.filter(|_| name.starts_with("swagger-ui")).ok_or(Code::NotFound)?;
    let mut response = file(&found.content_type, found.bytes.into_owned());
    response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Ok(response)
}

fn file(kind: &str, bytes: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(kind)
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(bytes)
}
