//! Every route on one screen: path, method, who may call it, in which bucket it counts.

use std::future::ready;

use actix_web::guard::{self, Any};
use actix_web::http::Method;
use actix_web::http::header::ALLOW;
use actix_web::middleware::from_fn;
use actix_web::web::{self, to};
use actix_web::{HttpResponse, Resource, Route, Scope};

use contact_hub_domain::access::Bucket::{self, Bulk, Standard};
use contact_hub_domain::access::Permission::{self, ContactsApi};

use crate::error::{ApiError, Code};
use crate::{contacts, fields, health, middleware};

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PUT: Method = Method::PUT;
const DELETE: Method = Method::DELETE;

/// Where the contacts interface begins.
pub(crate) const CONTACTS_BASE: &str = "/api/public/v1";

/// Registers every route.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .service(contacts_api())
        .service(at("/health/live").open(GET, to(health::live)).resource())
        .service(at("/health/ready").open(GET, to(health::ready)).resource())
        .service(at("/metrics").open(GET, to(health::metrics)).resource())
        .default_service(to(nothing_here));
}

fn contacts_api() -> Scope {
    web::scope(CONTACTS_BASE)
        .service(
            at("/fields")
                .on(POST, ContactsApi, Standard, to(fields::create::handle))
                .on(GET, ContactsApi, Standard, to(fields::list::handle))
                .resource(),
        )
        .service(
            at("/fields/{id}/values")
                .on(GET, ContactsApi, Standard, to(fields::list_values::handle))
                .resource(),
        )
        .service(
            at("/contacts")
                .on(GET, ContactsApi, Standard, to(contacts::list::handle))
                .on(POST, ContactsApi, Standard, to(contacts::create::handle))
                .resource(),
        )
        .service(
            at("/contacts/bulk")
                .on(POST, ContactsApi, Bulk, to(contacts::upsert_many::handle))
                .on(DELETE, ContactsApi, Bulk, to(contacts::delete_many::handle))
                .resource(),
        )
        .service(
            at("/contacts/bulk-delete")
                .on(POST, ContactsApi, Bulk, to(contacts::delete_many::handle))
                .resource(),
        )
        .service(
            at("/contacts/{id}")
                .on(GET, ContactsApi, Standard, to(contacts::read::handle))
                .on(DELETE, ContactsApi, Standard, to(contacts::delete::handle))
                .resource(),
        )
        .service(
            at("/contacts/{id}/field-values")
                .on(GET, ContactsApi, Standard, to(fields::read_of_contact::handle))
                .on(PUT, ContactsApi, Standard, to(fields::replace_of_contact::handle))
                .resource(),
        )
}

async fn nothing_here() -> Result<HttpResponse, ApiError> {
    Err(Code::NotFound.into())
}

/// A path with its methods.
struct At {
    path: &'static str,
    routes: Vec<(Method, Route)>,
}

const fn at(path: &'static str) -> At {
    At { path, routes: Vec::new() }
}

impl At {
    /// A route that only callers with the permission pass, counted in the bucket.
    fn on(self, method: Method, permission: Permission, bucket: Bucket, route: Route) -> Self {
        let guarded =
            from_fn(move |request, next| middleware::guard(permission, bucket, request, next));
        self.open(method, route.wrap(guarded))
    }

    /// A route without authentication.
    fn open(mut self, method: Method, route: Route) -> Self {
        self.routes.push((method, route));
        self
    }

    /// The path answers OPTIONS, and every other method with what it allows. HEAD is GET, whose body the server leaves
    /// out.
    fn resource(self) -> Resource {
        let allow = allowed(self.routes.iter().map(|(method, _)| method));
        let resource = web::resource(self.path);
        let resource = self.routes.into_iter().fold(resource, |resource, (method, route)| {
            resource.route(if method == GET {
                route.guard(Any(guard::Get()).or(guard::Head()))
            } else {
                route.guard(guard::Method(method))
            })
        });
        resource.default_service(to(move |method: Method| ready(other_method(&method, &allow))))
    }
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
