//! `POST /account/passkeys/new`, the page on which a browser creates a passkey, and `POST /account/passkeys`, which stores
//! it.

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::access::{self, AccessError, PasskeyDraft};

use super::list::with_refused;
use super::{ANSWER, PATH, keep};
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::access::browser::signing_in;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::notice::Notice;
use crate::pages::{cookies, respond};

#[derive(Template)]
#[template(path = "access/passkey_new.html")]
struct NewPasskeyPage {
    frame: Frame,
    form: FormView,
    options: String,
}

pub(crate) async fn begin(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    let ports = &caller.state().ports.access;
    let address = Origin::of(&request).address;
    let begun = match access::begin_passkey(ports, caller.holder(), address).await {
        Ok(begun) => begun,
        Err(error @ AccessError::Invalid(_)) => {
            return with_refused(&caller, &FormView::refused(&form, error)?).await;
        }
        Err(error) => return Err(error.into()),
    };
    let browser = signing_in(&request).browser;
    let name = browser.as_deref().unwrap_or("Passkey");
    let mut response = respond::page(&NewPasskeyPage {
        frame: caller.frame(Section::Account, "Add a passkey"),
        form: FormView::filled([("name", name)]),
        options: begun.options.clone(),
    })?;
    keep(&mut response, caller.who.is_secure, &begun);
    Ok(response)
}

/// The challenge was made after a proof of who the person is, so no other one is needed. When the answer is refused, adding
/// a passkey begins again with such a proof.
pub(crate) async fn handle(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    let draft = PasskeyDraft { name: form.input("name") };
    let token = cookies::passkey(caller.state(), &request).unwrap_or_default();
    let (cx, answer) = (caller.context(), form.text(ANSWER));
    match access::add_passkey(cx.ports, caller.holder(), &token, answer, &draft, cx.call).await {
        Ok(()) => Ok(respond::done(&caller, PATH, Notice::PasskeyAdded)),
        Err(error) => with_refused(&caller, &FormView::refused(&form, error)?).await,
    }
}
