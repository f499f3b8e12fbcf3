//! The OpenAPI 3.1 document: one row for each operation, its schemas from the wire shapes, its limits from the domain, its
//! error codes from the table of errors.

mod operations;
mod page;
mod parameters;
mod responses;
mod schemas;

use actix_web::{HttpResponse, web};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, PathsBuilder, ServerBuilder,
};

use crate::state::{CONTACTS_BASE, WebState};

pub(crate) use page::{asset, page};

/// The name of the one security scheme.
const BEARER: &str = "bearer";

/// The document; its server is the contacts interface below `public_url`.
#[must_use]
pub fn document(public_url: &str) -> OpenApi {
    let info = InfoBuilder::new()
        .title("Contact Hub: contacts")
        .version("1")
        .description(Some(
            "Contacts, custom fields and field values of one company. Every response carries `X-Request-Id`.",
        ));
    let paths = operations::operations().into_iter().fold(PathsBuilder::new(), |paths, row| {
        let (path, method, operation) = row.build();
        paths.path(path, utoipa::openapi::PathItem::new(method, operation))
    });
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key of an API user"))
        .build();
    let components = schemas::all()
        .into_iter()
        .fold(ComponentsBuilder::new(), |components, (name, schema)| {
            components.schema(name, schema)
        })
        .security_scheme(BEARER, SecurityScheme::Http(key));
    OpenApiBuilder::new()
        .info(info.build())
        .servers(Some([ServerBuilder::new().url(format!("{public_url}{CONTACTS_BASE}")).build()]))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}

/// `GET /openapi.json`
pub(crate) async fn json(state: web::Data<WebState>) -> HttpResponse {
    HttpResponse::Ok().json(document(&state.public_url))
}
