//! `GET /`: redirects to the first page that the person may open.

use actix_web::HttpResponse;

use contact_hub_domain::access::Permission;

use super::caller::PageCaller;
use super::respond;

pub(crate) async fn handle(caller: PageCaller) -> HttpResponse {
    let first = if caller.may(Permission::ContactsApi) {
        "/contacts"
    } else if caller.who.may_any(&[Permission::ManageIntegrations, Permission::Publish]) {
        "/assets"
    } else {
        "/account/api-access"
    };
    respond::see(first)
}
