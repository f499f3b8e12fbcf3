//! `POST /account/password`

use actix_web::HttpRequest;

use contact_hub_domain::access::{self, PasswordDraft};

use super::account::draw;
use crate::error::Answer;
use crate::extract::call_of;
use crate::origin::Origin;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    let draft = PasswordDraft {
        current: form.input("current"),
        password: form.input("password"),
        end_keys: form.is_ticked("end_keys"),
    };
    let ports = &caller.state().ports.access;
    match access::set_password(
        ports,
        caller.holder(),
        &draft,
        Origin::of(&request).address,
        &call_of(&request),
    )
    .await
    {
        Ok(()) => Ok(respond::done(&caller, "/account", Notice::PasswordSet)),
        Err(error) => {
            draw(&caller, FormView::refused(&form, error)?.without("current").without("password"))
                .await
        }
    }
}
