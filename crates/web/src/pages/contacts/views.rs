//! Saved views of the list: `POST /contacts/views` and `POST /contacts/views/delete`.

use actix_web::HttpRequest;

use contact_hub_domain::contacts::{self, ViewDraft};
use contact_hub_domain::ids::ViewId;
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;

use super::list::with_refused_view;
use super::selection::list_of;
use crate::error::{Answer, Code};
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn save(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    // Encoded like every address of the list, so that it is a safe address and an erasure finds an email in it.
    let address = Address::of(form.text("query"));
    let query = address.href("");
    let query = query.trim_start_matches('?');
    let draft = ViewDraft {
        name: form.input("name"),
        query: if query.is_empty() { Property::Absent } else { Input::from(query).into() },
        is_shared: form.is_ticked("shared"),
    };
    match contacts::save_view(&caller.context(), &draft).await {
        Ok(view) => {
            let location = format!("/contacts?{}", view.query.as_str());
            Ok(respond::done(&caller, &location, Notice::ViewSaved))
        }
        Err(error) => {
            let refused = FormView::refused(&form, error)?;
            with_refused_view(&caller, &request, address, refused).await
        }
    }
}

pub(crate) async fn delete(caller: PageCaller, form: Form) -> Answer {
    let id = ViewId::parse(form.text("id")).ok_or(Code::NotFound)?;
    if !contacts::delete_view(&caller.context(), id).await? {
        return Err(Code::NotFound.into());
    }
    Ok(respond::done(&caller, &list_of(&form), Notice::ViewDeleted))
}
