//! `GET` and `POST /sign-in/code`: the second step of signing in.

use actix_web::http::StatusCode;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use askama::Template;

use contact_hub_domain::access::{self, AccessError};

use super::browser::signing_in;
use super::passkeys;
use super::signed_in::begun;
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::address::Address;
use crate::pages::caller::Person;
use crate::pages::form::Form;
use crate::pages::frame::Frame;
use crate::pages::{cookies, respond, session};
use crate::state::WebState;

#[derive(Template)]
#[template(path = "access/second_step.html")]
struct SecondStepPage {
    frame: Frame,
    has_passkeys: bool,
    next: String,
    problem: &'static str,
}

impl SecondStepPage {
    fn new(state: &WebState, next: &str, problem: &'static str) -> Self {
        let (frame, has_passkeys) = (Frame::bare("Enter a code"), passkeys::are_on(state));
        Self { frame, has_passkeys, next: next.to_owned(), problem }
    }
}

pub(crate) async fn show(state: web::Data<WebState>, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    let next = session::within(address.get("next"));
    if request.extensions().get::<Person>().is_some() {
        return Ok(respond::see(next));
    }
    if cookies::session(&state, &request).is_none() {
        return Ok(from_the_beginning());
    }
    respond::page(&SecondStepPage::new(&state, next, ""))
}

pub(crate) async fn handle(state: web::Data<WebState>, request: HttpRequest, form: Form) -> Answer {
    let next = session::within(form.text("next"));
    let Some(token) = cookies::session(&state, &request) else { return Ok(from_the_beginning()) };
    let (ports, address) = (&state.ports.access, Origin::of(&request).address);
    let code = form.text("code");
    match access::second_step(ports, &token, code, address, &signing_in(&request)).await {
        Ok(signed_in) => Ok(begun(cookies::is_secure(&state, &request), &signed_in, next)),
        Err(AccessError::SignInRefused) => {
            let problem = "The code is wrong, expired or already used.";
            let page = SecondStepPage::new(&state, next, problem);
            respond::page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
        Err(AccessError::Unauthenticated) => Ok(from_the_beginning()),
        Err(error) => Err(error.into()),
    }
}

fn from_the_beginning() -> HttpResponse {
    respond::see("/sign-in")
}
