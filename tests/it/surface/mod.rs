//! Checks of every route: methods, envelopes, headers, bodies.

mod body;
mod conditions;
mod cors;
mod every_body;
mod every_operation;
mod headers;
mod health;
mod methods;
mod unparsed;
mod unsupported;

/// Every call of the contacts interface.
pub(crate) const CALLS: [(&str, &str); 16] = [
    ("POST", "/fields"),
    ("GET", "/fields"),
    ("PATCH", "/fields/01931e3a-7c00-7000-8000-000000000000"),
    ("GET", "/fields/01931e3a-7c00-7000-8000-000000000000/values"),
    ("GET", "/contacts"),
    ("POST", "/contacts"),
    ("POST", "/contacts/bulk"),
    ("DELETE", "/contacts/bulk"),
    ("POST", "/contacts/bulk-delete"),
    ("POST", "/contacts/lookup"),
    ("GET", "/contacts/export"),
    ("GET", "/contacts/01931e3a-7c00-7000-8000-000000000000"),
    ("PATCH", "/contacts/01931e3a-7c00-7000-8000-000000000000"),
    ("DELETE", "/contacts/01931e3a-7c00-7000-8000-000000000000"),
    ("GET", "/contacts/01931e3a-7c00-7000-8000-000000000000/field-values"),
    ("PUT", "/contacts/01931e3a-7c00-7000-8000-000000000000/field-values"),
];

/// Every call on the rights of data subjects.
pub(crate) const PEOPLE: [(&str, &str); 3] = [
    ("POST", "/contacts/01931e3a-7c00-7000-8000-000000000000/erase"),
    ("POST", "/erasures/unblock"),
    ("GET", "/contacts/01931e3a-7c00-7000-8000-000000000000/everything"),
];

/// The base path of the contacts interface.
pub(crate) const BASE: &str = "/api/public/v1";

/// Every path with its allowed methods, in alphabetical order.
pub(crate) fn addresses() -> Vec<(String, Vec<&'static str>)> {
    let mut addresses: Vec<(String, Vec<&'static str>)> = Vec::new();
    let contacts = CALLS.map(|(method, path)| (method, format!("{BASE}{path}")));
    let syncs = crate::sync::calls().into_iter().map(|(method, path, _)| (method, path));
    let changes = ["/changes", "/audit"].map(|path| ("GET", format!("/api/manage/v1{path}")));
    let people = PEOPLE.map(|(method, path)| (method, format!("/api/manage/v1{path}")));
    for (method, address) in contacts.into_iter().chain(syncs).chain(changes).chain(people) {
        match addresses.iter_mut().find(|(known, _)| *known == address) {
            Some((_, methods)) => methods.push(method),
            None => addresses.push((address, vec![method])),
        }
    }
    let documents = ["/openapi.json", "/openapi-3.0.json", "/docs"];
    for open in ["/health/live", "/health/ready", "/metrics"].into_iter().chain(documents) {
        addresses.push((open.to_owned(), vec!["GET"]));
    }
    for (_, methods) in &mut addresses {
        if methods.contains(&"GET") {
            methods.push("HEAD");
        }
        methods.push("OPTIONS");
        methods.sort_unstable();
    }
    addresses
}
