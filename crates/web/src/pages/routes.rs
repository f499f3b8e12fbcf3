//! Every page on one screen: path, method, who may open it.

use actix_web::Route;
use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::web::to;

use contact_hub_domain::access::Permission::ContactsApi;

use super::guard::{Access, guard};
use super::{contacts, fields, files, home};
use crate::routes::Endpoint;

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const OPEN: Access = Access::Open;
const SIGNED_IN: Access = Access::SignedIn;
const CONTACTS: Access = Access::Any(&[ContactsApi]);

/// One row for each page and form. Rows of one path stand together, and a fixed path before a pattern that it fits.
pub(crate) fn routes() -> Vec<Endpoint> {
    vec![
        page(GET, "/static/{file}", OPEN, to(files::file)),
        page(GET, "/", SIGNED_IN, to(home::handle)),
        page(GET, "/contacts", CONTACTS, to(contacts::list::handle)),
        page(GET, "/contacts/new", CONTACTS, to(contacts::create::show)),
        page(POST, "/contacts/new", CONTACTS, to(contacts::create::handle)),
        page(GET, "/contacts/{id}", CONTACTS, to(contacts::read::handle)),
        page(GET, "/contacts/{id}/edit", CONTACTS, to(contacts::change::show)),
        page(POST, "/contacts/{id}/edit", CONTACTS, to(contacts::change::handle)),
        page(POST, "/contacts/{id}/delete", CONTACTS, to(contacts::delete::handle)),
        page(GET, "/fields", CONTACTS, to(fields::list::handle)),
        page(POST, "/fields", CONTACTS, to(fields::create::handle)),
        page(GET, "/fields/{id}", CONTACTS, to(fields::list_values::handle)),
    ]
}

/// One method of one page.
fn page(method: Method, path: &str, access: Access, route: Route) -> Endpoint {
    let guard = from_fn(move |request, next| guard(access, request, next));
    Endpoint { method, path: path.to_owned(), route: route.wrap(guard) }
}
