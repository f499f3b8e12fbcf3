//! The interactive reference. Its files are inside the binary, so it needs no network.

use actix_web::http::header::{
    CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use crate::error::{Answer, ApiError, Code};
use crate::pages::{self, Frame};
use crate::state::WebState;

/// Only the page's own scripts and styles; Swagger UI draws its icons from data addresses and styles elements directly.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Starts Swagger UI, with samples of each call.
const START: &str = include_str!("../../static/reference.js");

/// Swagger UI, which the build script compresses.
const SWAGGER_UI_CSS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui.css.gz"));
const SWAGGER_UI_BUNDLE: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui-bundle.js.gz"));

#[derive(Template)]
#[template(path = "docs/reference.html")]
struct ReferencePage {
    frame: Frame,
}

/// `GET /docs`
pub(crate) async fn page(state: web::Data<WebState>, request: HttpRequest) -> Answer {
    let frame = pages::docs_frame(&state, &request, "API reference").await;
    let html = ReferencePage { frame }.render().map_err(|_never| Code::InternalError)?;
    let mut response = file("text/html; charset=utf-8", html);
    pages::protect(response.headers_mut());
    Ok(response)
}

/// `GET /docs/{file}`. Swagger UI is compressed in the binary and sent compressed, which every browser accepts.
pub(crate) async fn asset(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let (kind, compressed) = match request.match_info().get("file").unwrap_or_default() {
        "reference.js" => return Ok(file("text/javascript; charset=utf-8", START.as_bytes())),
        "swagger-ui.css" => ("text/css; charset=utf-8", SWAGGER_UI_CSS),
        "swagger-ui-bundle.js" => ("text/javascript; charset=utf-8", SWAGGER_UI_BUNDLE),
        _ => return Err(Code::NotFound.into()),
    };
    let mut response = file(kind, compressed);
    response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Ok(response)
}

fn file(kind: &str, bytes: impl Into<Bytes>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(kind)
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(bytes.into())
}
