//! Every route on one screen. Who may call an endpoint, and what it takes and answers, is beside its handler.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::http::Method;
use actix_web::web;
use actix_web::{HttpRequest, HttpResponse, Route};

use crate::endpoint::Endpoint;
use crate::error::{ApiError, Code};
use crate::handler::to;
use crate::resource::{Served, allowed_methods, resources};
use crate::{access, audit, changes, contacts, fields, health, openapi, pages, sync, webhooks};

/// Every endpoint of the interfaces. Those of one path are neighbours, and a fixed path is before a pattern that it
/// matches. A request is compared with one path after the other, so those that are called most are first.
const ENDPOINTS: [fn() -> Endpoint; 58] = [
    contacts::create::endpoint,
    contacts::list::endpoint,
    contacts::upsert_many::endpoint,
    contacts::delete_many::endpoint,
    contacts::delete_many::endpoint_for_proxies,
    contacts::look_up::endpoint,
    contacts::export::endpoint,
    contacts::read::endpoint,
    contacts::change::endpoint,
    contacts::delete::endpoint,
    contacts::read_values::endpoint,
    contacts::replace_values::endpoint,
    fields::create::endpoint,
    fields::list::endpoint,
    fields::change::endpoint,
    fields::list_values::endpoint,
    sync::create_asset::endpoint,
    sync::list_assets::endpoint,
    sync::read_asset::endpoint,
    sync::change_asset::endpoint,
    sync::delete_asset::endpoint,
    sync::list_syncs::endpoint,
    sync::request::endpoint,
    sync::create_integration::endpoint,
    sync::list_integrations::endpoint,
    sync::read_integration::endpoint,
    sync::change_integration::endpoint,
    sync::delete_integration::endpoint,
    sync::read_content::endpoint,
    sync::report::endpoint,
    webhooks::create::endpoint,
    webhooks::list::endpoint,
    webhooks::read::endpoint,
    webhooks::change::endpoint,
    webhooks::delete::endpoint,
    webhooks::rotate_secret::endpoint,
    webhooks::end_previous_secrets::endpoint,
    webhooks::test::endpoint,
    webhooks::list_deliveries::endpoint,
    webhooks::recover::endpoint,
    webhooks::read_delivery::endpoint,
    webhooks::resend::endpoint,
    access::create_user::endpoint,
    access::list_users::endpoint,
    access::read_user::endpoint,
    access::change_user::endpoint,
    access::delete_user::endpoint,
    access::create_key::endpoint,
    access::list_keys::endpoint,
    access::read_key::endpoint,
    access::revoke_key::endpoint,
    access::read_company::endpoint,
    access::change_company::endpoint,
    changes::list::endpoint,
    audit::list::endpoint,
    contacts::erase::endpoint,
    contacts::unblock::endpoint,
    contacts::everything::endpoint,
];

/// Every endpoint of the interfaces.
pub(crate) fn endpoints() -> impl Iterator<Item = Endpoint> {
    ENDPOINTS.into_iter().map(|endpoint| endpoint())
}

/// Registers every route.
pub fn configure(config: &mut web::ServiceConfig) {
    let endpoints = endpoints().map(Endpoint::served).chain(of_everyone());
    for resource in resources(endpoints).into_iter().chain(resources(pages::routes())) {
        config.service(resource);
    }
    config.default_service(to(nothing_here));
}

/// The methods of a path by its pattern, as in the header `Allow`; `None` if nothing is there.
pub(crate) fn allowed_by(pattern: &str) -> Option<&'static str> {
    static OF_PATHS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let endpoints = endpoints().map(Endpoint::served).chain(of_everyone());
        allowed_methods(endpoints).chain(allowed_methods(pages::routes())).collect()
    });
    OF_PATHS.get(pattern).map(String::as_str)
}

/// Registers only the metrics, for a separate listener.
pub fn configure_metrics(config: &mut web::ServiceConfig) {
    for resource in resources([metrics()]) {
        config.service(resource);
    }
    config.default_service(to(nothing_here));
}

fn of_everyone() -> [Served; 8] {
    [
        open("/health/live", to(health::live)),
        open("/health/ready", to(health::ready)),
        metrics(),
        open("/openapi.json", to(openapi::serve::current)),
        open("/openapi-3.0.json", to(openapi::serve::older)),
        open("/docs", to(openapi::page::page)),
        open("/docs/guide", to(pages::guide::handle)),
        open("/docs/{file}", to(openapi::page::asset)),
    ]
}

fn metrics() -> Served {
    open("/metrics", to(health::metrics))
}

/// A route that anyone may read.
fn open(path: &str, route: Route) -> Served {
    Served { method: Method::GET, path: path.to_owned(), route }
}

/// Every method and path of the interfaces and of what is open to everyone. Pages are no part of the document.
#[must_use]
pub fn operations() -> Vec<(String, String)> {
    let all = endpoints().map(Endpoint::served).chain(of_everyone());
    all.map(|served| (served.method.to_string(), served.path)).collect()
}

/// The path of every form of the pages.
#[must_use]
pub fn forms() -> Vec<String> {
    let forms = pages::routes().into_iter().filter(|served| served.method == Method::POST);
    forms.map(|served| served.path).collect()
}

async fn nothing_here(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    pages::not_found(&request).ok_or_else(|| Code::NotFound.into())
}
