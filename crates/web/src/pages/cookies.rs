//! The cookies of the pages: the session, the challenge of a passkey, a sign-in by an identity provider, the notice that the
//! next page shows, and that the setup is dismissed.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};

use contact_hub_domain::access::{CHALLENGE_SECONDS, OIDC_SECONDS};

use crate::origin::Origin;
use crate::state::WebState;

const SESSION: &str = "contact-hub-session";
const PASSKEY: &str = "contact-hub-passkey";
const LAYOUT: &str = "contact-hub-contacts";
const OIDC: &str = "contact-hub-oidc";
const NOTICE: &str = "contact-hub-notice";
const SETUP: &str = "contact-hub-setup";

/// How long a browser keeps what a person chose.
const LAYOUT_DAYS: i64 = 400;

/// How long a notice waits for its page, in seconds.
const NOTICE_SECONDS: i64 = 60;

/// Whether the browser reaches the service by https: then its cookies are secure ones.
pub(crate) fn is_secure(state: &WebState, request: &HttpRequest) -> bool {
    state.public_url.starts_with("https://") || Origin::of(request).is_https
}

/// A cookie of this name. Under https it is bound to this host, which browsers enforce because of the prefix.
fn cookie(is_secure: bool, name: &str, value: String) -> Cookie<'static> {
    Cookie::build(full_name(is_secure, name), value)
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(is_secure)
        .finish()
}

fn full_name(is_secure: bool, name: &str) -> String {
    if is_secure { format!("__Host-{name}") } else { name.to_owned() }
}

fn read(state: &WebState, request: &HttpRequest, name: &str) -> Option<String> {
    let name = full_name(is_secure(state, request), name);
    request.cookie(&name).map(|cookie| cookie.value().to_owned())
}

fn removal(is_secure: bool, name: &str) -> Cookie<'static> {
    let mut cookie = cookie(is_secure, name, String::new());
    cookie.make_removal();
    cookie
}

/// The token of the session that the browser shows.
pub(crate) fn session(state: &WebState, request: &HttpRequest) -> Option<String> {
    read(state, request, SESSION)
}

/// Keeps a session in the browser until it is closed; the server decides when it ends.
pub(crate) fn session_cookie(is_secure: bool, token: &str) -> Cookie<'static> {
    cookie(is_secure, SESSION, token.to_owned())
}

/// Removes the session from the browser.
pub(crate) fn drop_session(is_secure: bool) -> Cookie<'static> {
    removal(is_secure, SESSION)
}

/// The token of the challenge that the browser answers.
pub(crate) fn passkey(state: &WebState, request: &HttpRequest) -> Option<String> {
    read(state, request, PASSKEY)
}

/// Keeps the token of a challenge for as long as it can be answered.
pub(crate) fn passkey_cookie(is_secure: bool, token: &str) -> Cookie<'static> {
    let mut cookie = cookie(is_secure, PASSKEY, token.to_owned());
    cookie.set_max_age(Duration::seconds(CHALLENGE_SECONDS));
    cookie
}

/// The person's layout of the list of contacts.
pub(crate) fn layout(state: &WebState, request: &HttpRequest) -> Option<String> {
    read(state, request, LAYOUT)
}

/// Keeps the person's layout of the list of contacts.
pub(crate) fn layout_cookie(is_secure: bool, layout: String) -> Cookie<'static> {
    let mut cookie = cookie(is_secure, LAYOUT, layout);
    cookie.set_max_age(Duration::days(LAYOUT_DAYS));
    cookie
}

/// The secret of a sign-in by an identity provider that has begun in the browser.
pub(crate) fn oidc(state: &WebState, request: &HttpRequest) -> Option<String> {
    read(state, request, OIDC)
}

/// Keeps the secret as long as the sign-in may take. The browser sends it when the provider redirects back, because
/// that is a navigation by a person.
pub(crate) fn oidc_cookie(is_secure: bool, secret: &str) -> Cookie<'static> {
    let mut cookie = cookie(is_secure, OIDC, secret.to_owned());
    cookie.set_max_age(Duration::seconds(OIDC_SECONDS));
    cookie
}

/// Removes the secret from the browser.
pub(crate) fn drop_oidc(is_secure: bool) -> Cookie<'static> {
    removal(is_secure, OIDC)
}

/// The code of the notice that waits.
pub(crate) fn notice(state: &WebState, request: &HttpRequest) -> Option<String> {
    read(state, request, NOTICE)
}

/// Leaves a notice for the next page.
pub(crate) fn notice_cookie(is_secure: bool, code: &str) -> Cookie<'static> {
    let mut cookie = cookie(is_secure, NOTICE, code.to_owned());
    cookie.set_max_age(Duration::seconds(NOTICE_SECONDS));
    cookie
}

/// Whether the steps of the setup were dismissed in this browser.
pub(crate) fn is_setup_dismissed(state: &WebState, request: &HttpRequest) -> bool {
    read(state, request, SETUP).is_some()
}

/// Remembers that in the browser for a year.
pub(crate) fn dismiss_setup(is_secure: bool) -> Cookie<'static> {
    let mut cookie = cookie(is_secure, SETUP, "dismissed".to_owned());
    cookie.set_max_age(Duration::days(365));
    cookie
}

/// Removes the notice from the browser.
pub(crate) fn drop_notice(is_secure: bool) -> Cookie<'static> {
    removal(is_secure, NOTICE)
}
