//! The whole document.

use utoipa::openapi::info::{Info, InfoBuilder, License};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{
    Components, ComponentsBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, ServerBuilder,
};

use super::operation::BEARER;
use super::shape::Schemas;
use super::{envelopes, events, headers};
use crate::endpoint::{SECTIONS, Section};
use crate::routes;

const DESCRIPTION: &str = "\
Contacts, custom fields and field values of one company, and the sync of its assets to custom platforms.

- Errors have one of three envelopes: `ApplicationError` with a `code` to branch on, `ValidationErrors` (422) and \
`RateLimitError` (429). A path without an operation is answered with `NOT_FOUND`, another method of a path with \
`METHOD_NOT_ALLOWED` and `Allow`.
- `HEAD` is `GET` without the body; `OPTIONS` is answered with `Allow`.
- Unknown properties of a body and unknown query parameters are ignored, but not within `page[…]` and `filter[…]`.
- Every answer carries `X-Request-Id`; a request may bring its own.";

/// The document; its server is `public_url`, the base of all paths.
pub(super) fn document(public_url: &str) -> OpenApi {
    let mut schemas = Schemas::default();
    let paths = routes::endpoints().fold(PathsBuilder::new(), |paths, endpoint| {
        let (path, method, operation) = endpoint.describe(&mut schemas);
        paths.path(path, PathItem::new(method, operation))
    });
    let webhooks = events::webhooks(&mut schemas);
    envelopes::add_application_error(&mut schemas);
    // Without an address the paths are relative to that of the document.
    let server = if public_url.is_empty() { "/" } else { public_url };
    OpenApiBuilder::new()
        .info(info())
        .servers(Some([ServerBuilder::new().url(server).build()]))
        .tags(Some(SECTIONS.map(tag)))
        .paths(paths)
        .webhooks(Some(webhooks))
        .components(Some(components(schemas)))
        .build()
}

fn tag(section: Section) -> Tag {
    let mut tag = Tag::new(section.name);
    tag.description = Some(section.description());
    tag
}

fn info() -> Info {
    let license = env!("CARGO_PKG_LICENSE");
    let mut named = License::new(license);
    named.identifier = Some(license.to_owned());
    InfoBuilder::new()
        .title("Contact Hub")
        .version("1")
        .description(Some(DESCRIPTION))
        .license(Some(named))
        .build()
}

fn components(schemas: Schemas) -> Components {
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some(
            "An API key of an API user with the permission that the operation's tag names",
        ))
        .build();
    let components = ComponentsBuilder::new()
        .security_scheme(BEARER, SecurityScheme::Http(key))
        .schemas_from_iter(schemas.by_name)
        .responses_from_iter(schemas.responses);
    let headers = headers::all().into_iter();
    headers.fold(components, |components, (name, header)| components.header(name, header)).build()
}
