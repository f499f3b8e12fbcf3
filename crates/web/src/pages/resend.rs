//! A form that the service could not execute at that moment, on a page from which it can be sent again.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpMessage as _, HttpRequest};

use super::csrf;
use super::form::Form;

/// Fields whose values are on no page.
const SECRETS: [&str; 7] =
    ["password", "current", "code", "passkey", "credential", "secret", "client_secret"];

/// The form as hidden fields.
pub(crate) struct Resend {
    /// What to do.
    pub(crate) advice: &'static str,
    /// Where it is sent.
    pub(crate) action: String,
    /// Its fields.
    pub(crate) fields: Vec<(String, String)>,
}

/// In the extensions of a request whose form has the token of another session, although it is from one of our pages: the
/// token of the present session.
#[derive(Clone)]
pub(super) struct Stale(pub(super) String);

/// Whether the same request may succeed a little later.
pub(super) fn may_succeed_later(status: StatusCode) -> bool {
    matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS)
}

/// Whether a form has a value that is on no page.
pub(super) fn has_secret(form: &Form) -> bool {
    SECRETS.iter().any(|name| !form.text(name).is_empty())
}

impl Resend {
    /// The form of a request that may succeed later; `None` if there is none, or if it has a secret.
    pub(super) fn of(request: &HttpRequest, status: StatusCode) -> Option<Self> {
        let stale = request.extensions().get::<Stale>().cloned();
        if stale.is_none() && !may_succeed_later(status) {
            return None;
        }
        let form = request.extensions().get::<Form>().cloned()?;
        let is_sent = request.method() == Method::POST && !form.pairs().is_empty();
        let mut fields = form.pairs().to_vec();
        let advice = match stale {
            Some(Stale(token)) => {
                fields.retain(|(name, _)| name != csrf::FIELD);
                fields.push((csrf::FIELD.to_owned(), token));
                "What you entered is not saved yet, and kept on this page. If you are signed in as the right person, send it again."
            }
            None if status == StatusCode::TOO_MANY_REQUESTS => {
                "What you entered is not saved yet, and kept on this page: send it again then."
            }
            None => {
                "What you entered is kept on this page. It may not have been saved: send it again in a moment."
            }
        };
        let action = request.uri().path_and_query().map_or("/", |it| it.as_str()).to_owned();
        (is_sent && !has_secret(&form)).then_some(Self { advice, action, fields })
    }
}
