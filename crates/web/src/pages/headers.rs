//! The security headers of pages.

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};

use crate::envelope::NO_STORE;

/// Only our own files; pictures of contacts may come from elsewhere.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data: https:; \
     frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

/// For untrusted HTML in a frame of our page: it is shown, but its scripts, forms and links do nothing. Pictures and
/// styles are loaded from their addresses, as in a mail program. It keeps its origin, so that our page can measure its
/// height: with no script in it, nothing can use the origin. A policy cannot exclude an origin, so the guard keeps our pages
/// from being loaded as its pictures and styles.
pub(crate) const FOREIGN: HeaderValue = HeaderValue::from_static(
    "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline' https:; img-src data: https: http:; \
     font-src data: https:; form-action 'none'; frame-ancestors 'self'; base-uri 'none'",
);

/// The policy of a page with an editor, which adds its styles to the page under this nonce.
pub(crate) fn with_styles(nonce: &str) -> String {
    String::from_utf8_lossy(POLICY.as_bytes())
        .replace("style-src 'self'", &format!("style-src 'self' 'nonce-{nonce}'"))
}

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Sets the headers that are not set already.
pub(crate) fn protect(headers: &mut HeaderMap) {
    let wanted = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (OPENER_POLICY, HeaderValue::from_static("same-origin")),
        (CACHE_CONTROL, NO_STORE),
    ];
    for (name, value) in wanted {
        if !headers.contains_key(&name) {
            headers.insert(name, value);
        }
    }
}
