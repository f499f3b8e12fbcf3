//! `GET /sign-in/oidc/{provider}` and `GET /account/confirm/{provider}`: lead to an identity provider.

use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};

use contact_hub_domain::access::{self, OidcPurpose};

use super::failed::failed;
use super::require_visit;
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::address::Address;
use crate::pages::caller::{PageCaller, Person};
use crate::pages::{cookies, respond, session};
use crate::state::WebState;

pub(crate) async fn handle(
    state: web::Data<WebState>,
    request: HttpRequest,
    provider: web::Path<String>,
) -> Answer {
    let address = Address::of(request.query_string());
    let next = session::within(address.get("next"));
    if request.extensions().get::<Person>().is_some() {
        return Ok(respond::see(next));
    }
    lead(&state, &request, &provider, next, OidcPurpose::SignIn).await
}

/// Sends the person to the provider to confirm who they are, and then to the next page.
pub(crate) async fn confirm(
    state: web::Data<WebState>,
    request: HttpRequest,
    caller: PageCaller,
    provider: web::Path<String>,
) -> Answer {
    let address = Address::of(request.query_string());
    let next = session::within(address.get("next"));
    lead(&state, &request, &provider, next, OidcPurpose::Confirm(caller.holder())).await
}

async fn lead(
    state: &WebState,
    request: &HttpRequest,
    provider: &str,
    next: &str,
    purpose: OidcPurpose<'_>,
) -> Answer {
    require_visit(request)?;
    let (ports, address) = (&state.ports.access, Origin::of(request).address);
    match access::begin_oidc(ports, provider, next, purpose, address).await {
        Ok(begun) => {
            let mut response: HttpResponse = respond::see(&begun.location);
            let is_secure = cookies::is_secure(state, request);
            // Every character of a secret is allowed in a cookie.
            response.add_cookie(&cookies::oidc_cookie(is_secure, begun.browser.reveal())).ok();
            Ok(response)
        }
        Err(error) => failed(provider, error, matches!(purpose, OidcPurpose::Confirm(_))),
    }
}
