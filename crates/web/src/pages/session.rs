//! The redirects to and from signing in, and the notice at the top of a page.

use actix_web::HttpRequest;
use actix_web::http::header::REFERER;
use url::Url;

use super::address::Address;
use super::cookies;
use super::notice::{self, ShownNotice};
use crate::state::WebState;

/// The notice at the top of the page.
pub(crate) fn notice(state: &WebState, request: &HttpRequest) -> Option<ShownNotice> {
    let page = request.uri().path_and_query().map_or("/", |it| it.as_str());
    cookies::notice(state, request).and_then(|kept| notice::parse(&kept, page))
}

/// The address at which to sign in and return from.
pub(crate) fn sign_in_location(request: &HttpRequest) -> String {
    if !request.method().is_safe() {
        let page = page_of_form(request).unwrap_or_default();
        return Address::default().with("ended", "1").with("next", within(&page)).href("/sign-in");
    }
    match request.uri().path_and_query().map_or("/", |it| it.as_str()) {
        "/" => "/sign-in".to_owned(),
        path => Address::default().with("next", path).href("/sign-in"),
    }
}

/// The page from which a form was sent. It is not the form's own address, which may accept only POST.
fn page_of_form(request: &HttpRequest) -> Option<String> {
    let referrer = Url::parse(request.headers().get(REFERER)?.to_str().ok()?).ok()?;
    let query = referrer.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("{}{query}", referrer.path()))
}

/// An address of one of our pages; any other one becomes the start page, so that signing in never leads elsewhere.
pub(crate) fn within(next: &str) -> &str {
    let is_path = next.starts_with('/') && !next.starts_with("//");
    let is_plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_path && is_plain { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn never_redirects_to_other_sites() {
        assert_eq!(within("/contacts?search=a+b"), "/contacts?search=a+b");
        for foreign in ["", "//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nb"]
        {
            assert_eq!(within(foreign), "/", "{foreign}");
        }
    }
}
