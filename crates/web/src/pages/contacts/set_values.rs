//! `GET` and `POST /contacts/selected/values`: one value for all selected contacts. First its field is chosen, then it is
//! typed.

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::contacts;
use contact_hub_domain::fields::{self, Directory, FieldValuesDraft};

use super::columns::{field_at, targets};
use super::form::ValueField;
use super::form_names::name_of;
use super::selection::Selection;
use super::values::given_of;
use crate::error::{Answer, ApiError};
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(super) const PATH: &str = "/contacts/selected/values";

/// The field that is chosen, in the form and in the address.
const FIELD: &str = "field";

/// The longest shown name of a field, in characters.
const LONG_TEXT: usize = 60;

#[derive(Template)]
#[template(path = "contacts/set_values.html")]
struct SetValuesPage {
    frame: Frame,
    selection: Selection,
    form: FormView,
    /// The fields to choose from, by their targets.
    targets: Vec<(String, String)>,
    /// The field that was chosen, with its target.
    chosen: Option<(String, ValueField)>,
}

/// Asks for the field, or for the value of the one in the address.
pub(crate) async fn show(caller: PageCaller, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    let selection = Selection::of_address(&address);
    if selection.ids.is_empty() {
        return Ok(respond::done(&caller, &selection.back, Notice::NothingSelected));
    }
    let directory = fields::list(&caller.context()).await?;
    draw(&caller, selection, &directory, FormView::default(), address.get(FIELD))
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let selection = Selection::of(&form);
    if selection.ids.is_empty() {
        return Ok(respond::done(&caller, &selection.back, Notice::NothingSelected));
    }
    let directory = fields::list(&caller.context()).await?;
    let target = form.text(FIELD);
    let field = field_at(target, &directory).filter(|it| form.is_ticked(&name_of(it)));
    let Some(field) = field else {
        return Ok(respond::see(&selection.address().with(FIELD, target).href(PATH)));
    };
    let value = given_of(field.kind, form.text(&name_of(field)));
    let draft: FieldValuesDraft = [(field.key.to_string(), value)].into_iter().collect();
    let ids = selection.ids.iter().copied().collect();
    match contacts::set_values(&caller.context(), ids, &draft).await {
        Ok(set) => {
            let notice = Notice::ContactsUpdated;
            Ok(respond::done_with(&caller, &selection.back, notice, set, &[]))
        }
        Err(error) => {
            let view = FormView::refused(&form, ApiError::from(error))?;
            draw(&caller, selection, &directory, view, target)
        }
    }
}

fn draw(
    caller: &PageCaller,
    selection: Selection,
    directory: &Directory,
    form: FormView,
    target: &str,
) -> Answer {
    let frame = caller.frame(Section::Contacts, &format!("Set a value for {}", selection.count()));
    let chosen = field_at(target, directory).filter(|field| !field.archived);
    let chosen = chosen.map(|field| (target.to_owned(), ValueField::of(field)));
    let mut targets = targets(directory, LONG_TEXT);
    targets.retain(|(target, _)| target.starts_with("field:"));
    let status = form.status();
    respond::page_with(status, &SetValuesPage { frame, selection, form, targets, chosen })
}
