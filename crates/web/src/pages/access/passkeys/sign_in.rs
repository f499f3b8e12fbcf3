//! `POST /sign-in/passkey/options` asks for a proof with any passkey, and `POST /sign-in/passkey` signs in with it.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};

use contact_hub_domain::access::{self, AccessError};

use super::{ANSWER, asked};
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::access::browser::signing_in;
use crate::pages::access::sign_in::{SignInPage, end_previous};
use crate::pages::access::signed_in::begun;
use crate::pages::form::Form;
use crate::pages::{cookies, respond, session};
use crate::state::WebState;

pub(crate) async fn begin(state: web::Data<WebState>, request: HttpRequest) -> Answer {
    let address = Origin::of(&request).address;
    let begun = access::begin_passkey_sign_in(&state.ports.access, address).await?;
    Ok(asked(cookies::is_secure(&state, &request), &begun))
}

pub(crate) async fn handle(state: web::Data<WebState>, request: HttpRequest, form: Form) -> Answer {
    let next = session::within(form.text("next"));
    let token = cookies::passkey(&state, &request).unwrap_or_default();
    let (ports, address) = (&state.ports.access, Origin::of(&request).address);
    let (answer, call) = (form.text(ANSWER), signing_in(&request));
    match access::sign_in_with_passkey(ports, &token, answer, address, &call).await {
        Ok(signed_in) => {
            end_previous(&state, &request).await?;
            Ok(begun(cookies::is_secure(&state, &request), &signed_in, next))
        }
        Err(AccessError::SignInRefused) => {
            let problem = "The passkey was not accepted, or it took too long. Try again.";
            let page = SignInPage::new(&state, "", next, problem).await?;
            respond::page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
        Err(error) => Err(error.into()),
    }
}
