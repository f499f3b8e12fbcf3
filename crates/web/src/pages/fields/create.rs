//! `POST /fields`

use contact_hub_domain::fields::{self, FieldDraft};

use super::list::{PATH, draw};
use crate::error::Answer;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::part::last_part;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let draft = FieldDraft {
        name: form.input("name"),
        r#type: form.input("type"),
        ..FieldDraft::default()
    };
    let cx = caller.context();
    match fields::create(&cx, &draft).await {
        Ok(_field) => {
            // The newest field is the last one.
            let last = last_part(fields::list(&cx).await?.fields().len());
            let address = Address::default().with("page[number]", &last.to_string());
            Ok(respond::done(&caller, &address.href(PATH), Notice::FieldCreated))
        }
        Err(error) => draw(&caller, &Address::default(), FormView::refused(&form, error)?).await,
    }
}
