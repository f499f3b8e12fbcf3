//! `POST /admin/company/sign-on/passwords`: switches sign-in by password on or off.

use contact_hub_domain::access::{self, AccessError};

use super::providers::{PATH, draw};
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let is_on = form.is_ticked("password_sign_in");
    match access::switch_password_sign_in(&caller.context(), caller.holder(), is_on).await {
        Ok(()) if is_on => Ok(respond::done(&caller, PATH, Notice::PasswordSignInOn)),
        Ok(()) => Ok(respond::done(&caller, PATH, Notice::PasswordSignInOff)),
        Err(error @ AccessError::Invalid(_)) => {
            draw(&caller, &FormView::refused(&form, error)?).await
        }
        Err(error) => Err(error.into()),
    }
}
