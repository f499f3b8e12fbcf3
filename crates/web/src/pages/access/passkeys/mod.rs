//! Passkeys: `/account/passkeys`, and signing in with one.
//!
//! A script asks the browser for an answer and puts it into a form. The token of the challenge is in a cookie, so that only
//! the browser that got the challenge can answer it.

mod add;
mod change;
mod confirm;
mod list;
mod sign_in;

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;

use contact_hub_domain::access::PasskeyRequest;

use crate::pages::cookies;
use crate::state::WebState;

pub(crate) use add::{begin as begin_adding, handle as add};
pub(crate) use change::{delete, rename};
pub(crate) use confirm::begin as begin_confirmation;
pub(crate) use list::handle as list;
pub(crate) use sign_in::{begin as begin_sign_in, handle as sign_in};

const PATH: &str = "/account/passkeys";

/// The field with the answer of an authenticator.
const ANSWER: &str = "credential";

/// Whether the service has passkeys.
pub(crate) const fn are_on(state: &WebState) -> bool {
    state.ports.access.passkey_verifier.is_some()
}

/// The options of a ceremony, for a script.
fn asked(is_secure: bool, request: &PasskeyRequest) -> HttpResponse {
    let options = request.options.clone();
    let mut response = HttpResponse::Ok().content_type(ContentType::json()).body(options);
    keep(&mut response, is_secure, request);
    response
}

/// Keeps the token of a challenge in the browser.
fn keep(response: &mut HttpResponse, is_secure: bool, request: &PasskeyRequest) {
    // Every character of a token is allowed in a cookie.
    response.add_cookie(&cookies::passkey_cookie(is_secure, request.token.reveal())).ok();
}
