//! `POST /fields/{id}`: the name of a field, whether it is archived, and whether it is filterable.

use contact_hub_domain::fields::{self, FieldChangeDraft};
use contact_hub_domain::ids::FieldId;

use super::list_values::draw;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::listing::Listing;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<FieldId>, form: Form) -> Answer {
    let change = FieldChangeDraft {
        name: form.edited_text("name"),
        archived: form.edited_box("archived"),
        filterable: form.edited_box("filterable"),
    };
    match fields::change(&caller.context(), id, &change).await {
        Ok(_field) => Ok(respond::done(&caller, &format!("/fields/{id}"), Notice::FieldChanged)),
        Err(error) => {
            draw(&caller, id, Listing::default(), Some(FormView::refused(&form, error)?)).await
        }
    }
}
