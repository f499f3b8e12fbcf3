//! The whole document.

use utoipa::openapi::info::{Info, InfoBuilder, License};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{
    Components, ComponentsBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, ServerBuilder,
};

use super::row::BEARER;
use super::{events, headers, operations, schemas};

const TAGS: [(&str, &str); 10] = [
    ("contacts", "Contacts and their field values; permission `contacts_api`"),
    ("fields", "Fields and the values in use; permission `contacts_api`"),
    (
        "assets",
        "Assets and their syncs; permission `manage_integrations`, and `publish` to request a sync",
    ),
    ("integrations", "Connections to custom platforms; permission `manage_integrations`"),
    ("webhooks", "Where events are sent; permission `manage_integrations`"),
    ("deliveries", "What became of each event that was sent; permission `manage_integrations`"),
    ("users", "Who may do what; permission `manage_access`"),
    ("api keys", "The keys of a user; permission `manage_access`"),
    ("company", "The account; permission `manage_access`, even without the product access"),
    ("custom platform", "What a custom platform's service calls; permission `download_email`"),
];

const DESCRIPTION: &str = "\
Contacts, custom fields and field values of one company, and the sync of its assets to custom platforms.

- Errors have one of three envelopes: `ApplicationError` with a `code` to branch on, `ValidationErrors` (422) and \
`RateLimitError` (429). A path without an operation is answered with `NOT_FOUND`, another method of a path with \
`METHOD_NOT_ALLOWED` and `Allow`.
- `HEAD` is `GET` without the body; `OPTIONS` is answered with `Allow`.
- Unknown properties of a body and unknown query parameters are ignored, but not within `page[…]` and `filter[…]`.
- Every answer carries `X-Request-Id`; a request may bring its own.";

/// The document; its server is `public_url`, below which all paths stand.
#[must_use]
pub fn document(public_url: &str) -> OpenApi {
    let paths = operations::operations().into_iter().fold(PathsBuilder::new(), |paths, row| {
        let (path, method, operation) = row.build();
        paths.path(path, PathItem::new(method, operation))
    });
    let tags = TAGS.map(|(name, description)| {
        let mut tag = Tag::new(name);
        tag.description = Some(description.to_owned());
        tag
    });
    // Without an address the paths stand below that of the document.
    let server = if public_url.is_empty() { "/" } else { public_url };
    OpenApiBuilder::new()
        .info(info())
        .servers(Some([ServerBuilder::new().url(server).build()]))
        .tags(Some(tags))
        .paths(paths)
        .webhooks(Some(events::webhooks()))
        .components(Some(components()))
        .build()
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

fn components() -> Components {
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some(
            "An API key of an API user with the permission that the operation's tag names",
        ))
        .build();
    let components = ComponentsBuilder::new().security_scheme(BEARER, SecurityScheme::Http(key));
    let components = schemas::all()
        .into_iter()
        .fold(components, |components, (name, schema)| components.schema(name, schema));
    let headers = headers::all().into_iter();
    headers.fold(components, |components, (name, header)| components.header(name, header)).build()
}
