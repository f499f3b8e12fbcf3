//! Asks people to prove who they are before a form is executed whose effect outlives their session or grants more
//! access than it. The page that asks has the fields of the form, so nothing is typed twice.

use actix_web::http::StatusCode;
use actix_web::http::header::REFERER;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use askama::Template;
use url::Url;

use contact_hub_domain::access::{self, AccessError, Session};

use super::access::oidc::{ProviderLink, confirming_provider};
use super::access::passkeys::are_on;
use super::caller::Person;
use super::form::Form;
use super::form_view::FormView;
use super::frame::Frame;
use super::{cookies, csrf, respond, session};
use crate::error::{Answer, ApiError};
use crate::extract::call_of;
use crate::origin::Origin;
use crate::state::WebState;

/// The field with the proof.
const CURRENT: &str = "current";

/// The field with the answer of a passkey, in place of the proof.
const PASSKEY: &str = "passkey";

/// The field with the address to which a person goes back.
const BACK: &str = "back";

/// When a form needs a proof, unless there was one a short while ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// Never.
    None,
    /// From people without a password; the form asks the others for it.
    WithoutPassword,
    /// From everyone.
    Always,
}

#[derive(Template)]
#[template(path = "access/confirm.html")]
struct ConfirmPage {
    frame: Frame,
    form: FormView,
    action: String,
    fields: Vec<(String, String)>,
    has_password: bool,
    has_two_step: bool,
    has_passkey: bool,
    /// The provider that confirms who somebody without a password, an app or a passkey is.
    provider: Option<ProviderLink>,
    back: String,
}

/// The page that asks for a proof; `None` when the form may be executed.
pub(super) async fn ask(
    proof: Proof,
    person: &mut Person,
    request: &HttpRequest,
    state: &WebState,
) -> Result<Option<HttpResponse>, ApiError> {
    let is_needed = match proof {
        Proof::None => false,
        Proof::WithoutPassword => !person.holder.has_password,
        Proof::Always => true,
    };
    let now = state.ports.environment.clock.now();
    if !is_needed || person.holder.session.is_fresh(now) {
        return Ok(None);
    }
    let form = request.extensions().get::<Form>().cloned().unwrap_or_default();
    if !form.is_ticked(CURRENT) && form.text(PASSKEY).is_empty() {
        return draw(person, request, state, FormView::default()).await.map(Some);
    }
    match confirm(person, request, state, &form).await {
        Ok(session) => {
            person.holder.session = session;
            Ok(None)
        }
        Err(error) => {
            let view = FormView::refused(&form, error)?.without(CURRENT);
            draw(person, request, state, view).await.map(Some)
        }
    }
}

async fn confirm(
    person: &Person,
    request: &HttpRequest,
    state: &WebState,
    form: &Form,
) -> Result<Session, AccessError> {
    let (ports, address) = (&state.ports.access, Origin::of(request).address);
    let call = call_of(request);
    match form.text(PASSKEY) {
        "" => access::confirm(ports, &person.holder, &form.input(CURRENT), address, &call).await,
        answer => {
            let token = cookies::passkey(state, request).unwrap_or_default();
            access::confirm_with_passkey(ports, &person.holder, &token, answer, address, &call)
                .await
        }
    }
}

async fn draw(person: &Person, request: &HttpRequest, state: &WebState, view: FormView) -> Answer {
    let form = request.extensions().get::<Form>().cloned().unwrap_or_default();
    let back = back(request, &form);
    let own = [CURRENT, PASSKEY, BACK, csrf::FIELD];
    let fields = form.pairs().iter().filter(|(name, _)| !own.contains(&name.as_str()));
    let status = if view.is_refused() { view.status() } else { StatusCode::FORBIDDEN };
    let page = ConfirmPage {
        frame: Frame::of(person, None, "Confirm it's you"),
        form: view,
        action: request.uri().path_and_query().map_or("/", |it| it.as_str()).to_owned(),
        fields: fields.cloned().collect(),
        has_password: person.holder.has_password,
        has_two_step: person.holder.has_two_step,
        has_passkey: person.holder.has_passkey && are_on(state),
        provider: confirming_provider(state, &person.holder, &back).await?,
        back,
    };
    respond::page_with(status, &page)
}

/// The page from which the form was sent first.
fn back(request: &HttpRequest, form: &Form) -> String {
    let referrer = request.headers().get(REFERER).and_then(|value| value.to_str().ok());
    let path = referrer.and_then(|text| Url::parse(text).ok()).map(|url| url.path().to_owned());
    let back = match form.text(BACK) {
        "" => path.unwrap_or_default(),
        back => back.to_owned(),
    };
    session::within(&back).to_owned()
}
