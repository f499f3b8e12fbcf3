//! `GET` and `POST /sign-in`

use actix_web::http::StatusCode;
use actix_web::{HttpMessage, HttpRequest, web};
use askama::Template;

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::CompanyId;

use super::browser::signing_in;
use super::oidc::{ProviderLink, company_links, has_company_providers, provider_links};
use super::passkeys;
use super::signed_in::begun;
use crate::error::{Answer, ApiError};
use crate::extract::call_of;
use crate::origin::Origin;
use crate::pages::address::Address;
use crate::pages::caller::Person;
use crate::pages::form::Form;
use crate::pages::frame::Frame;
use crate::pages::{cookies, respond, session};
use crate::state::WebState;

#[derive(Template)]
#[template(path = "access/sign_in.html")]
pub(super) struct SignInPage {
    frame: Frame,
    has_passkeys: bool,
    email: String,
    next: String,
    problem: String,
    providers: Vec<ProviderLink>,
    /// Whether companies have providers, which the domain of an email names.
    has_company_providers: bool,
}

impl SignInPage {
    pub(super) async fn new(
        state: &WebState,
        email: &str,
        next: &str,
        problem: &str,
    ) -> Result<Self, ApiError> {
        Ok(Self {
            frame: Frame::bare("Sign in"),
            has_passkeys: passkeys::are_on(state),
            email: email.to_owned(),
            next: next.to_owned(),
            problem: problem.to_owned(),
            providers: provider_links(state, next),
            has_company_providers: has_company_providers(state).await?,
        })
    }

    /// The page for somebody who entered the right password, but whose company does not allow sign-in by password.
    async fn without_password(
        state: &WebState,
        email: &str,
        next: &str,
        company: CompanyId,
    ) -> Result<Self, ApiError> {
        let own = company_links(state, company, next).await?;
        let mut page = Self::new(state, email, next, "").await?;
        let button = own.first().map(|provider| format!("Choose Sign in with {}", provider.name));
        let button = button.unwrap_or_else(|| "Ask for a one-time link".to_owned());
        let passkey = if page.has_passkeys { ", or sign in with a passkey" } else { "" };
        page.problem = format!("Your company does not accept passwords. {button}{passkey}.");
        page.providers = own.into_iter().chain(page.providers).collect();
        Ok(page)
    }
}

pub(crate) async fn show(state: web::Data<WebState>, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    let next = session::within(address.get("next"));
    if request.extensions().get::<Person>().is_some() {
        return Ok(respond::see(next));
    }
    let problem = match address.get("ended") {
        "" => "",
        _ => "Your session has ended, and nothing was saved. Sign in to continue.",
    };
    let mut page = SignInPage::new(&state, "", next, problem).await?;
    page.frame.notice = session::notice(&state, &request);
    respond::page(&page)
}

pub(crate) async fn handle(state: web::Data<WebState>, request: HttpRequest, form: Form) -> Answer {
    let (email, password) = (form.text("email"), form.text("password"));
    let next = session::within(form.text("next"));
    let (ports, address) = (&state.ports.access, Origin::of(&request).address);
    match access::sign_in(ports, email, password, address, &signing_in(&request)).await {
        Ok(signed_in) => {
            end_previous(&state, &request).await?;
            Ok(begun(cookies::is_secure(&state, &request), &signed_in, next))
        }
        Err(AccessError::SignInRefused) => {
            let problem = "The email or the password is wrong.";
            let page = SignInPage::new(&state, email, next, problem).await?;
            respond::page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
        Err(AccessError::PasswordSignInOff(company)) => {
            let page = SignInPage::without_password(&state, email, next, company).await?;
            respond::page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
        Err(error) => Err(error.into()),
    }
}

/// Ends the browser's previous session, so that its token becomes invalid.
pub(super) async fn end_previous(
    state: &WebState,
    request: &HttpRequest,
) -> Result<(), AccessError> {
    let previous = request.extensions().get::<Person>().map(|person| person.holder.clone());
    match previous {
        Some(holder) => access::sign_out(&state.ports.access, &holder, &call_of(request)).await,
        None => Ok(()),
    }
}
