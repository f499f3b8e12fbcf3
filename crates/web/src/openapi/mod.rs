//! The OpenAPI 3.1 document: one row for each operation, its schemas from the wire shapes, its limits from the domain, its
//! error codes from the table of errors.

mod examples;
mod headers;
mod operations;
mod page;
mod parameters;
mod responses;
mod schemas;
mod served;
mod values;

use utoipa::openapi::info::{Info, InfoBuilder, License};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{
    Components, ComponentsBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, ServerBuilder,
};

use crate::state::CONTACTS_BASE;

pub(crate) use page::{asset, page};
pub use served::ServedDocument;
pub(crate) use served::json;
pub(crate) use values::{FieldTypeName, Scalar};

/// The name of the one security scheme.
const BEARER: &str = "bearer";

const TAGS: [(&str, &str); 2] =
    [("contacts", "Contacts and their field values"), ("fields", "Fields and the values in use")];

const DESCRIPTION: &str = "\
Contacts, custom fields and field values of one company.

- Errors have one of three envelopes: `ApplicationError` with a `code` to branch on, `ValidationErrors` (422) and \
`RateLimitError` (429). A path without an operation is answered with `NOT_FOUND`, another method of a path with \
`METHOD_NOT_ALLOWED` and `Allow`.
- `HEAD` is `GET` without the body; `OPTIONS` is answered with `Allow`.
- Unknown properties of a body and unknown query parameters are ignored, but not within `page[…]` and `filter[…]`.
- Every answer carries `X-Request-Id`; a request may bring its own.";

/// The document; its server is the contacts interface below `public_url`.
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
    OpenApiBuilder::new()
        .info(info())
        .servers(Some([ServerBuilder::new().url(format!("{public_url}{CONTACTS_BASE}")).build()]))
        .tags(Some(tags))
        .paths(paths)
        .components(Some(components()))
        .build()
}

fn info() -> Info {
    let license = env!("CARGO_PKG_LICENSE");
    let mut named = License::new(license);
    named.identifier = Some(license.to_owned());
    InfoBuilder::new()
        .title("Contact Hub: contacts")
        .version("1")
        .description(Some(DESCRIPTION))
        .license(Some(named))
        .build()
}

fn components() -> Components {
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key of an API user with the Contacts API permission"))
        .build();
    let components = ComponentsBuilder::new().security_scheme(BEARER, SecurityScheme::Http(key));
    let components = schemas::all()
        .into_iter()
        .fold(components, |components, (name, schema)| components.schema(name, schema));
    let headers = headers::all().into_iter();
    headers.fold(components, |components, (name, header)| components.header(name, header)).build()
}
