//! The answer that begins a session.

use actix_web::HttpResponse;

use contact_hub_domain::access::SignedIn;

use crate::pages::address::Address;
use crate::pages::{cookies, respond};

/// Redirects to a page, by way of the second step if it is missing, with the cookie of the new session.
pub(super) fn begun(is_secure: bool, signed_in: &SignedIn, next: &str) -> HttpResponse {
    let mut response = if signed_in.holder.awaits_code {
        respond::see(&second_step(next))
    } else {
        respond::see(next)
    };
    // Every character of a token is allowed in a cookie.
    response.add_cookie(&cookies::session_cookie(is_secure, signed_in.token.reveal())).ok();
    response
}

/// The address at which a person enters the code, and continues from there.
fn second_step(next: &str) -> String {
    match next {
        "/" => "/sign-in/code".to_owned(),
        next => Address::default().with("next", next).href("/sign-in/code"),
    }
}
