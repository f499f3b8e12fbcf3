//! One resource for each path, with all its methods.

use std::future::ready;

use actix_web::guard::fn_guard;
use actix_web::http::Method;
use actix_web::http::header::ALLOW;
use actix_web::web;
use actix_web::{HttpResponse, Resource, Route};

use crate::handler::to;

/// One method of one path, ready to be served.
pub(crate) struct Served {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) route: Route,
}

/// One resource for each path.
pub(crate) fn resources(all: impl IntoIterator<Item = Served>) -> Vec<Resource> {
    let mut paths: Vec<(String, Vec<Served>)> = Vec::new();
    for served in all {
        match paths.last_mut().filter(|(path, _)| *path == served.path) {
            Some((_, methods)) => methods.push(served),
            None => paths.push((served.path.clone(), vec![served])),
        }
    }
    paths.into_iter().map(|(path, methods)| resource(&path, methods)).collect()
}

/// The path answers OPTIONS, and every method that it does not support, with the methods that it allows. HEAD is served
/// as GET, and the server leaves out the body.
fn resource(path: &str, methods: Vec<Served>) -> Resource {
    let allow = allowed(methods.iter().map(|served| &served.method));
    let resource = methods.into_iter().fold(web::resource(path), |resource, served| {
        let Served { method, route, .. } = served;
        resource.route(route.guard(fn_guard(move |asked| serves(&method, &asked.head().method))))
    });
    resource.default_service(to(move |method: Method| ready(other_method(&method, &allow))))
}

/// The framework's guards of methods also note each method that they check in the request, for an answer that is not ours.
fn serves(method: &Method, asked: &Method) -> bool {
    asked == method || (*method == Method::GET && *asked == Method::HEAD)
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
        // The middleware writes the envelope of this status.
        HttpResponse::MethodNotAllowed().insert_header((ALLOW, allow)).finish()
    }
}
