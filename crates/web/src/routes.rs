//! Every route on one screen: path, method, who may call it, in which bucket it counts.

use std::future::ready;

use actix_web::guard::{self, Any};
use actix_web::http::Method;
use actix_web::http::header::ALLOW;
use actix_web::middleware::from_fn;
use actix_web::web::{self, to};
use actix_web::{HttpRequest, HttpResponse, Resource, Route};

use contact_hub_domain::access::Bucket::{self, Bulk, Standard};
use contact_hub_domain::access::Need;
use contact_hub_domain::access::Permission::{
    self, ContactsApi, DownloadEmail, ManageAccess, ManageIntegrations, Publish,
};
use contact_hub_domain::sync::PUBLISHED_BASE;

use crate::base_paths::{CONTACTS_BASE, MANAGE_BASE};
use crate::endpoint::Endpoint;
use crate::error::{ApiError, Code};
use crate::{access, contacts, fields, health, middleware, openapi, pages, sync, webhooks};

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PUT: Method = Method::PUT;
const PATCH: Method = Method::PATCH;
const DELETE: Method = Method::DELETE;

const FIELD_VALUES: &str = "/contacts/{id}/field-values";
const METRICS: &str = "/metrics";
const INTEGRATION: &str = "/integrations/{id}";
const WEBHOOK: &str = "/webhooks/{id}";
const ROTATE_SECRET: &str = "/webhooks/{id}/rotate-secret";
const USER: &str = "/users/{id}";
const KEYS: &str = "/users/{id}/api-keys";
const KEY: &str = "/users/{id}/api-keys/{key_id}";
const PREVIOUS_SECRETS: &str = "/webhooks/{id}/previous-secrets";

/// Registers every route.
pub fn configure(config: &mut web::ServiceConfig) {
    for resource in resources(routes()).into_iter().chain(resources(pages::routes())) {
        config.service(resource);
    }
    config.default_service(to(nothing_here));
}

/// Registers the metrics alone, for a listener of their own.
pub fn configure_metrics(config: &mut web::ServiceConfig) {
    for resource in resources(vec![open(METRICS, to(health::metrics))]) {
        config.service(resource);
    }
    config.default_service(to(nothing_here));
}

/// One row for each route. Rows of one path stand together, and a fixed path before a pattern that it fits.
fn routes() -> Vec<Endpoint> {
    let all = [of_contacts(), of_assets(), of_webhooks(), of_access(), of_everyone()];
    all.into_iter().flatten().collect()
}

fn of_contacts() -> Vec<Endpoint> {
    vec![
        api(POST, "/fields", ContactsApi, Standard, to(fields::create::handle)),
        api(GET, "/fields", ContactsApi, Standard, to(fields::list::handle)),
        api(GET, "/fields/{id}/values", ContactsApi, Standard, to(fields::list_values::handle)),
        api(POST, "/contacts", ContactsApi, Standard, to(contacts::create::handle)),
        api(GET, "/contacts", ContactsApi, Standard, to(contacts::list::handle)),
        api(POST, "/contacts/bulk", ContactsApi, Bulk, to(contacts::upsert_many::handle)),
        api(DELETE, "/contacts/bulk", ContactsApi, Bulk, to(contacts::delete_many::handle)),
        api(POST, "/contacts/bulk-delete", ContactsApi, Bulk, to(contacts::delete_many::handle)),
        api(GET, "/contacts/{id}", ContactsApi, Standard, to(contacts::read::handle)),
        api(DELETE, "/contacts/{id}", ContactsApi, Standard, to(contacts::delete::handle)),
        api(GET, FIELD_VALUES, ContactsApi, Standard, to(fields::read_of_contact::handle)),
        api(PUT, FIELD_VALUES, ContactsApi, Standard, to(fields::replace_of_contact::handle)),
    ]
}

fn of_assets() -> Vec<Endpoint> {
    vec![
        manage(POST, "/assets", ManageIntegrations, to(sync::create_asset::handle)),
        manage(GET, "/assets", ManageIntegrations, to(sync::list_assets::handle)),
        manage(GET, "/assets/{id}", ManageIntegrations, to(sync::read_asset::handle)),
        manage(PATCH, "/assets/{id}", ManageIntegrations, to(sync::change_asset::handle)),
        manage(DELETE, "/assets/{id}", ManageIntegrations, to(sync::delete_asset::handle)),
        manage(GET, "/assets/{id}/syncs", ManageIntegrations, to(sync::list_syncs::handle)),
        manage(POST, "/assets/{id}/syncs", Publish, to(sync::request::handle)),
        manage(POST, "/integrations", ManageIntegrations, to(sync::create_integration::handle)),
        manage(GET, "/integrations", ManageIntegrations, to(sync::list_integrations::handle)),
        manage(GET, INTEGRATION, ManageIntegrations, to(sync::read_integration::handle)),
        manage(PATCH, INTEGRATION, ManageIntegrations, to(sync::change_integration::handle)),
        manage(DELETE, INTEGRATION, ManageIntegrations, to(sync::delete_integration::handle)),
        published(GET, "/assets/{id}/content", to(sync::read_content::handle)),
        published(PATCH, "/sync-status/{id}", to(sync::report::handle)),
    ]
}

fn of_webhooks() -> Vec<Endpoint> {
    vec![
        manage(POST, "/webhooks", ManageIntegrations, to(webhooks::create::handle)),
        manage(GET, "/webhooks", ManageIntegrations, to(webhooks::list::handle)),
        manage(GET, WEBHOOK, ManageIntegrations, to(webhooks::read::handle)),
        manage(PATCH, WEBHOOK, ManageIntegrations, to(webhooks::change::handle)),
        manage(DELETE, WEBHOOK, ManageIntegrations, to(webhooks::delete::handle)),
        manage(POST, ROTATE_SECRET, ManageIntegrations, to(webhooks::rotate_secret::handle)),
        manage(
            DELETE,
            PREVIOUS_SECRETS,
            ManageIntegrations,
            to(webhooks::end_previous_secrets::handle),
        ),
        manage(POST, "/webhooks/{id}/test", ManageIntegrations, to(webhooks::test::handle)),
        manage(GET, "/deliveries", ManageIntegrations, to(webhooks::list_deliveries::handle)),
        manage(POST, "/deliveries/recover", ManageIntegrations, to(webhooks::recover::handle)),
        manage(GET, "/deliveries/{id}", ManageIntegrations, to(webhooks::read_delivery::handle)),
        manage(POST, "/deliveries/{id}/resend", ManageIntegrations, to(webhooks::resend::handle)),
    ]
}

fn of_access() -> Vec<Endpoint> {
    vec![
        manage(POST, "/users", ManageAccess, to(access::create_user::handle)),
        manage(GET, "/users", ManageAccess, to(access::list_users::handle)),
        manage(GET, USER, ManageAccess, to(access::read_user::handle)),
        manage(PATCH, USER, ManageAccess, to(access::change_user::handle)),
        manage(DELETE, USER, ManageAccess, to(access::delete_user::handle)),
        manage(POST, KEYS, ManageAccess, to(access::create_key::handle)),
        manage(GET, KEYS, ManageAccess, to(access::list_keys::handle)),
        manage(GET, KEY, ManageAccess, to(access::read_key::handle)),
        manage(DELETE, KEY, ManageAccess, to(access::revoke_key::handle)),
        account(GET, "/company", ManageAccess, to(access::read_company::handle)),
        account(PATCH, "/company", ManageAccess, to(access::change_company::handle)),
    ]
}

fn of_everyone() -> Vec<Endpoint> {
    vec![
        open("/health/live", to(health::live)),
        open("/health/ready", to(health::ready)),
        open(METRICS, to(health::metrics)),
        open("/openapi.json", to(openapi::serve::json)),
        open("/docs", to(openapi::page::page)),
        open("/docs/{file}", to(openapi::page::asset)),
    ]
}

/// Every method and path of the interfaces and of what is open to everyone. Pages are no part of the document.
#[must_use]
pub fn operations() -> Vec<(String, String)> {
    routes().into_iter().map(|endpoint| (endpoint.method.to_string(), endpoint.path)).collect()
}

async fn nothing_here(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    pages::not_found(&request).ok_or_else(|| Code::NotFound.into())
}

/// A route of the contacts interface, counted in the bucket.
fn api(
    method: Method,
    path: &str,
    permission: Permission,
    bucket: Bucket,
    route: Route,
) -> Endpoint {
    let need = Need::Product(permission);
    guarded(method, format!("{CONTACTS_BASE}{path}"), need, bucket, route)
}

/// A route of the management interface.
fn manage(method: Method, path: &str, permission: Permission, route: Route) -> Endpoint {
    let need = Need::Product(permission);
    guarded(method, format!("{MANAGE_BASE}{path}"), need, Standard, route)
}

/// A route of the management interface that needs no product access.
fn account(method: Method, path: &str, permission: Permission, route: Route) -> Endpoint {
    let need = Need::Account(permission);
    guarded(method, format!("{MANAGE_BASE}{path}"), need, Standard, route)
}

/// A route of the interface for custom platforms.
fn published(method: Method, path: &str, route: Route) -> Endpoint {
    let need = Need::Product(DownloadEmail);
    guarded(method, format!("{PUBLISHED_BASE}{path}"), need, Standard, route)
}

/// A route which only callers with what is needed pass.
fn guarded(method: Method, path: String, need: Need, bucket: Bucket, route: Route) -> Endpoint {
    let guard = from_fn(move |request, next| middleware::guard(need, bucket, request, next));
    Endpoint { method, path, route: route.wrap(guard) }
}

/// A route that anyone may read.
fn open(path: &str, route: Route) -> Endpoint {
    Endpoint { method: GET, path: path.to_owned(), route }
}

/// One resource for each path.
fn resources(endpoints: Vec<Endpoint>) -> Vec<Resource> {
    let mut paths: Vec<(String, Vec<Endpoint>)> = Vec::new();
    for endpoint in endpoints {
        match paths.last_mut().filter(|(path, _)| *path == endpoint.path) {
            Some((_, methods)) => methods.push(endpoint),
            None => paths.push((endpoint.path.clone(), vec![endpoint])),
        }
    }
    paths.into_iter().map(|(path, methods)| resource(&path, methods)).collect()
}

/// The path answers OPTIONS, and every other method with what it allows. HEAD is GET, whose body the server leaves out.
fn resource(path: &str, methods: Vec<Endpoint>) -> Resource {
    let allow = allowed(methods.iter().map(|endpoint| &endpoint.method));
    let resource = methods.into_iter().fold(web::resource(path), |resource, endpoint| {
        resource.route(if endpoint.method == GET {
            endpoint.route.guard(Any(guard::Get()).or(guard::Head()))
        } else {
            endpoint.route.guard(guard::Method(endpoint.method))
        })
    });
    resource.default_service(to(move |method: Method| ready(other_method(&method, &allow))))
}

fn allowed<'a>(methods: impl Iterator<Item = &'a Method>) -> String {
    let mut names: Vec<&str> = methods.map(Method::as_str).chain(["OPTIONS"]).collect();
    if names.contains(&"GET") {
        names.push("HEAD");
    }
    names.sort_unstable();
    names.join(", ")
}

fn other_method(method: &Method, allow: &str) -> HttpResponse {
    if *method == Method::OPTIONS {
        HttpResponse::NoContent().insert_header((ALLOW, allow)).finish()
    } else {
        // Its envelope is the one of its status.
        HttpResponse::MethodNotAllowed().insert_header((ALLOW, allow)).finish()
    }
}
