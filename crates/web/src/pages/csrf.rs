//! Rejects requests that another site makes in a person's name, by their origin and by a token that only our own pages
//! know.

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderName, ORIGIN};
use sha2::{Digest, Sha256};
use url::Url;

use crate::state::WebState;

/// The form field with the token. Scripts send the token as a header.
pub(crate) const FIELD: &str = "csrf_token";
const HEADER: HeaderName = HeaderName::from_static("x-csrf-token");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");
const PURPOSE: HeaderName = HeaderName::from_static("sec-purpose");

/// How many hexadecimal digits of the hash are a token.
const TOKEN_DIGITS: usize = 32;

/// The token in the pages of a session. It is a hash of the session's token, which cannot be computed from it.
pub(crate) fn token(session: &str) -> String {
    let mut digest = Sha256::new();
    digest.update("csrf token of the session ");
    digest.update(session);
    let mut token = hex::encode(digest.finalize());
    token.truncate(TOKEN_DIGITS);
    token
}

/// The token that a script sent.
pub(crate) fn of_script(request: &HttpRequest) -> Option<&str> {
    text(request, &HEADER)
}

/// Whether the request comes from one of our pages according to the browser: by `Sec-Fetch-Site`, or if it is absent by
/// `Origin`. Other clients send neither.
pub(crate) fn is_from_here(request: &HttpRequest, state: &WebState) -> bool {
    said_origin(request, state).unwrap_or(true)
}

/// The same for requests without a form token: the browser must send one of the headers.
pub(crate) fn is_said_to_be_from_here(request: &HttpRequest, state: &WebState) -> bool {
    said_origin(request, state).unwrap_or(false)
}

fn said_origin(request: &HttpRequest, state: &WebState) -> Option<bool> {
    if let Some(site) = text(request, &FETCH_SITE) {
        return Some(matches!(site, "same-origin" | "none"));
    }
    let origin = text(request, &ORIGIN)?;
    let host = text(request, &HOST).unwrap_or_default();
    let is_host = origin.split_once("://").is_some_and(|(_, rest)| rest == host);
    Some(is_host || origin_of(&state.public_url).as_deref() == Some(origin))
}

/// Whether the browser opens the page itself, and does not load it as an image, a frame or a script of another one. Clients
/// that do not say so count as opening it.
pub(crate) fn is_visit(request: &HttpRequest) -> bool {
    text(request, &FETCH_DESTINATION).is_none_or(|destination| destination == "document")
}

/// Whether the browser opens the page itself, one of our scripts reads it, or one of our pages shows it in a frame. The
/// HTML of an asset may have pictures and styles of any address: they would read our pages in the name of the person who
/// looks at a preview of it. A page that is only fetched in advance can be embedded in the same way.
pub(crate) fn is_wanted(request: &HttpRequest, is_framed: bool) -> bool {
    let is_known = |destination| match destination {
        "document" | "empty" => true,
        "iframe" => is_framed,
        _ => false,
    };
    let is_ahead = text(request, &PURPOSE).is_some_and(|purpose| purpose.starts_with("prefetch"));
    text(request, &FETCH_DESTINATION).is_none_or(is_known) && !is_ahead
}

/// The origin of an address as browsers write it. An opaque one is not trusted: a foreign sandbox sends the same `null`.
fn origin_of(address: &str) -> Option<String> {
    let origin = Url::parse(address).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}

fn text<'a>(request: &'a HttpRequest, name: &HeaderName) -> Option<&'a str> {
    request.headers().get(name).map(|value| value.to_str().unwrap_or("unreadable"))
}

#[cfg(test)]
mod tests {
    use super::{origin_of, token};

    #[test]
    fn each_session_has_its_own_token() {
        assert_eq!(token("a").len(), 32);
        assert_ne!(token("a"), token("b"));
        assert_eq!(token("a"), token("a"));
    }

    #[test]
    fn an_origin_is_scheme_host_and_port_as_browsers_write_it() {
        for (address, origin) in [
            ("https://a.example:8443/hub", Some("https://a.example:8443")),
            ("https://A.example:443", Some("https://a.example")),
            ("http://[::1]:8080", Some("http://[::1]:8080")),
            ("a.example", None),
            ("data:,x", None),
        ] {
            assert_eq!(origin_of(address).as_deref(), origin, "{address}");
        }
    }
}
