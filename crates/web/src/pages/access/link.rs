//! `GET` and `POST /sign-in/{token}`: a one-time link, at which a person signs in, and chooses a password if the company
//! accepts passwords. Opening it does not use it up, because mail programs open links too.

use actix_web::{HttpRequest, web};
use askama::Template;

use contact_hub_domain::access::{self, AccessError, LinkHolder, MIN_PASSWORD};

use super::browser::signing_in;
use super::sign_in::end_previous;
use super::signed_in::begun;
use crate::error::{Answer, ApiError, Code};
use crate::origin::Origin;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::Frame;
use crate::pages::respond;
use crate::pages::{cookies, csrf};
use crate::state::WebState;

#[derive(Template)]
#[template(path = "access/link.html")]
struct LinkPage {
    frame: Frame,
    form: FormView,
    email: String,
    needs_password: bool,
    password_sign_in: bool,
    hint: String,
}

impl LinkPage {
    fn new(holder: &LinkHolder, form: FormView) -> Self {
        Self {
            frame: Frame::bare("Sign in"),
            form,
            email: holder.email.as_str().to_owned(),
            needs_password: holder.needs_password(),
            password_sign_in: holder.password_sign_in,
            hint: format!("At least {MIN_PASSWORD} characters. A few words are easy to remember."),
        }
    }
}

pub(crate) async fn show(state: web::Data<WebState>, request: HttpRequest) -> Answer {
    // Otherwise pictures on another site could use up the attempts of the visitor's network.
    if !csrf::is_visit(&request) {
        return Err(Code::AccessDenied.into());
    }
    let address = Origin::of(&request).address;
    let holder =
        access::read_link(&state.ports.access, token(&request), address).await.map_err(for_page)?;
    respond::page(&LinkPage::new(&holder, FormView::default()))
}

pub(crate) async fn handle(state: web::Data<WebState>, request: HttpRequest, form: Form) -> Answer {
    let (token, address) = (token(&request), Origin::of(&request).address);
    let (ports, password) = (&state.ports.access, form.input("password"));
    match access::redeem_link(ports, token, &password, address, &signing_in(&request)).await {
        Ok(signed_in) => {
            end_previous(&state, &request).await?;
            Ok(begun(cookies::is_secure(&state, &request), &signed_in, "/"))
        }
        Err(AccessError::Invalid(violations)) => {
            let holder =
                access::read_link(&state.ports.access, token, address).await.map_err(for_page)?;
            let view = FormView::refused(&form, ApiError::Validation(violations))?;
            respond::page_with(view.status(), &LinkPage::new(&holder, view.without("password")))
        }
        Err(error) => Err(for_page(error)),
    }
}

fn token(request: &HttpRequest) -> &str {
    request.match_info().get("token").unwrap_or_default()
}

/// An expired link is answered like an unknown address.
fn for_page(error: AccessError) -> ApiError {
    match error {
        AccessError::LinkInvalid => {
            let message = "This link has expired or was already used. Ask for a new one, or sign in another way.";
            ApiError::new(Code::NotFound, message)
        }
        error => error.into(),
    }
}
