//! Every route on one screen: method, path, who may call it.

use std::future::ready;

use actix_web::guard::{self, Any};
use actix_web::http::Method;
use actix_web::http::header::ALLOW;
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, Resource, Route, web};

use contact_hub_domain::access::Permission::{self, ContactsApi};

use crate::error::{ApiError, Code};
use crate::{contacts, fields, health, middleware};

/// Where the contacts interface begins.
pub(crate) const CONTACTS_BASE: &str = "/api/public/v1";

/// Registers every route.
pub fn configure(config: &mut web::ServiceConfig) {
    let contacts_api = web::scope(CONTACTS_BASE)
        .service(resource(
            "/fields",
            vec![
                guarded(Method::POST, ContactsApi, web::to(fields::create::handle)),
                guarded(Method::GET, ContactsApi, web::to(fields::list::handle)),
            ],
        ))
        .service(resource(
            "/contacts",
            vec![guarded(
                Method::POST,
                ContactsApi,
                web::to(contacts::create::handle),
            )],
        ))
        .service(resource(
            "/contacts/{id}",
            vec![guarded(
                Method::GET,
                ContactsApi,
                web::to(contacts::read::handle),
            )],
        ));
    config
        .service(contacts_api)
        .service(resource(
            "/health/live",
            vec![open(Method::GET, web::to(health::live))],
        ))
        .service(resource(
            "/health/ready",
            vec![open(Method::GET, web::to(health::ready))],
        ))
        .service(resource(
            "/metrics",
            vec![open(Method::GET, web::to(health::metrics))],
        ))
        .default_service(web::to(nothing_here));
}

async fn nothing_here() -> Result<HttpResponse, ApiError> {
    Err(Code::NotFound.into())
}

/// A route that only callers with the permission pass.
fn guarded(method: Method, permission: Permission, route: Route) -> (Method, Route) {
    let checked = route.wrap(from_fn(move |request, next| {
        middleware::guard(permission, request, next)
    }));
    (method, checked)
}

/// A route without authentication.
const fn open(method: Method, route: Route) -> (Method, Route) {
    (method, route)
}

/// One path with its methods; it answers OPTIONS, and every other method with what it allows. HEAD is GET, whose body
/// the server leaves out.
fn resource(path: &str, routes: Vec<(Method, Route)>) -> Resource {
    let allow = allowed(routes.iter().map(|(method, _)| method));
    let resource = web::resource(path);
    let resource = routes
        .into_iter()
        .fold(resource, |resource, (method, route)| {
            resource.route(if method == Method::GET {
                route.guard(Any(guard::Get()).or(guard::Head()))
            } else {
                route.guard(guard::Method(method))
            })
        });
    resource.default_service(web::to(move |method: Method| {
        ready(other_method(&method, &allow))
    }))
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
        HttpResponse::NoContent()
            .insert_header((ALLOW, allow))
            .finish()
    } else {
        // Its envelope is the one of its status.
        HttpResponse::MethodNotAllowed()
            .insert_header((ALLOW, allow))
            .finish()
    }
}
