//! The interactive page. Its files are inside the binary, so it needs no network.

use std::sync::Arc;

use actix_web::http::header::{CONTENT_SECURITY_POLICY, X_CONTENT_TYPE_OPTIONS};
use actix_web::{HttpRequest, HttpResponse};
use utoipa_swagger_ui::{Config, serve};

use crate::error::{ApiError, Code};

/// The page's own scripts and styles alone; it draws its icons from data addresses and styles elements directly.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `GET /docs`
pub(crate) async fn page() -> Result<HttpResponse, ApiError> {
    file("index.html")
}

/// `GET /docs/{file}`
pub(crate) async fn asset(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    file(request.match_info().get("file").unwrap_or_default())
}

fn file(name: &str) -> Result<HttpResponse, ApiError> {
    // By default the page would call the validator of its makers.
    let config = Config::from("/openapi.json").validator_url("none").persist_authorization(false);
    let config = Arc::new(config);
    let found = serve(name, config).ok().flatten().ok_or(Code::NotFound)?;
    let bytes = match (name, std::str::from_utf8(&found.bytes)) {
        // The page refers to its files by relative addresses, but /docs has no slash at its end.
        ("index.html", Ok(html)) => html
            .replace("\"./", "\"/docs/")
            .replace("\"index.css\"", "\"/docs/index.css\"")
            .into_bytes(),
        _ => found.bytes.into_owned(),
    };
    Ok(HttpResponse::Ok()
        .content_type(found.content_type)
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(bytes))
}
