//! `GET` and `POST /contacts/new`

use contact_hub_domain::contacts::CreatedContact;
use contact_hub_domain::{contacts, fields};

use super::form::{Shown, draft, draw};
use super::refused::refused;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(caller: PageCaller) -> Answer {
    let directory = fields::list(&caller.context()).await?;
    draw(&caller, FormView::default(), None, Shown::first(&directory))
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let cx = caller.context();
    let directory = fields::list(&cx).await?;
    match contacts::create(&cx, &draft(&form, &directory)).await {
        Ok(created) => {
            let path = format!("/contacts/{}", created.contact().id);
            Ok(respond::done(&caller, &path, notice(&created)))
        }
        Err(error) => {
            let view = refused(&caller, &form, error).await?;
            draw(&caller, view, None, Shown::again(&directory, &form, None))
        }
    }
}

const fn notice(created: &CreatedContact) -> Notice {
    match created {
        CreatedContact::Created(_) => Notice::ContactCreated,
        CreatedContact::Restored(_) => Notice::ContactRestored,
    }
}
