//! One resource for each path, with all its methods.

use std::future::ready;

use actix_web::guard::fn_guard;
use actix_web::http::Method;
use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web;
use actix_web::{HttpRequest, HttpResponse, Resource, Route};

use crate::handler::to;
use crate::pages;

/// One method of one path, ready to be served.
pub(crate) struct Served {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) route: Route,
}

/// One resource for each path.
pub(crate) fn resources(all: impl IntoIterator<Item = Served>) -> Vec<Resource> {
    by_path(all).into_iter().map(|(path, methods)| resource(&path, methods)).collect()
}

/// The paths, each with the methods that it allows, as in the header `Allow`.
pub(crate) fn allowed_methods(
    all: impl IntoIterator<Item = Served>,
) -> impl Iterator<Item = (String, String)> {
    let paths = by_path(all).into_iter();
    paths.map(|(path, methods)| (path, allowed(methods.iter().map(|served| &served.method))))
}

fn by_path(all: impl IntoIterator<Item = Served>) -> Vec<(String, Vec<Served>)> {
    let mut paths: Vec<(String, Vec<Served>)> = Vec::new();
    for served in all {
        match paths.last_mut().filter(|(path, _)| *path == served.path) {
            Some((_, methods)) => methods.push(served),
            None => paths.push((served.path.clone(), vec![served])),
        }
    }
    paths
}

/// The path answers OPTIONS, and every method that it does not support, with the methods that it allows. HEAD is served
/// as GET, and the server leaves out the body.
fn resource(path: &str, methods: Vec<Served>) -> Resource {
    let allow = allowed(methods.iter().map(|served| &served.method));
    let resource = methods.into_iter().fold(web::resource(path), |resource, served| {
        let Served { method, route, .. } = served;
        resource.route(route.guard(fn_guard(move |asked| serves(&method, &asked.head().method))))
    });
    resource.default_service(to(move |request: HttpRequest| ready(other_method(&request, &allow))))
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

fn other_method(request: &HttpRequest, allow: &str) -> HttpResponse {
    let mut response = if *request.method() == Method::OPTIONS {
        HttpResponse::NoContent().finish()
    } else {
        // The middleware writes the envelope of this status.
        pages::form_only(request).unwrap_or_else(|| HttpResponse::MethodNotAllowed().finish())
    };
    if let Ok(allow) = HeaderValue::from_str(allow) {
        response.headers_mut().insert(ALLOW, allow);
    }
    response
}
