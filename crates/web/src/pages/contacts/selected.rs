//! `POST /contacts/selected`: what to do with the contacts that are selected in the list, and `GET` and
//! `POST /contacts/selected/delete`.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

use contact_hub_domain::audit;
use contact_hub_domain::contacts::{self, DeletionDraft, LookupDraft};
use contact_hub_domain::fields;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::property::Property;

use super::selection::Selection;
use super::{export, set_values};
use crate::error::{Answer, ApiError};
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::frame::{Frame, Section};
use crate::pages::notice::Notice;
use crate::pages::respond;

const DELETE: &str = "/contacts/selected/delete";

/// The memory that a page of contacts with typical values needs, in bytes.
const WEIGHT: usize = 8 << 20;

#[derive(Template)]
#[template(path = "contacts/delete_selected.html")]
struct DeletePage {
    frame: Frame,
    selection: Selection,
}

/// Continues with the chosen action.
pub(crate) async fn choose(caller: PageCaller, form: Form) -> Answer {
    let selection = Selection::of(&form);
    if selection.ids.is_empty() {
        return Ok(respond::done(&caller, &selection.back, Notice::NothingSelected));
    }
    match form.text("action") {
        "export" => exported(&caller, selection).await,
        "values" => Ok(respond::see(&selection.address().href(set_values::PATH))),
        _ => Ok(respond::see(&selection.address().href(DELETE))),
    }
}

/// Shows how many contacts are to be deleted.
pub(crate) async fn confirm(caller: PageCaller, request: HttpRequest) -> Answer {
    let selection = Selection::of_address(&Address::of(request.query_string()));
    if selection.ids.is_empty() {
        return Ok(respond::done(&caller, &selection.back, Notice::NothingSelected));
    }
    let frame = caller.frame(Section::Contacts, &format!("Delete {}?", selection.count()));
    respond::page(&DeletePage { frame, selection })
}

/// Deletes the contacts, once the person has seen their number.
pub(crate) async fn delete(caller: PageCaller, form: Form) -> Answer {
    let selection = Selection::of(&form);
    if selection.ids.is_empty() {
        return Ok(respond::done(&caller, &selection.back, Notice::NothingSelected));
    }
    let draft = DeletionDraft { ids: selection.inputs() };
    let deleted = contacts::delete_many(&caller.context(), &draft).await?;
    let mut undo: Vec<ContactId> = selection.ids.into_iter().collect();
    // Some of them were deleted before, by someone else or by the same form: to undo this would restore them too.
    if usize::try_from(deleted) != Ok(undo.len()) {
        undo.clear();
    }
    let notice = Notice::ContactsDeleted;
    Ok(respond::done_with(&caller, &selection.back, notice, deleted, &undo))
}

async fn exported(caller: &PageCaller, selection: Selection) -> Answer {
    let draft = LookupDraft { ids: selection.inputs(), emails: Property::Absent };
    let csv = caller.work(WEIGHT, |caller| async move {
        audit::record_export(&caller.context(), caller.now()).await?;
        let found = contacts::look_up(&caller.context(), &draft).await?;
        let directory = fields::list(&caller.context()).await?;
        let mut csv = export::head(&directory)?;
        for detail in &found.contacts {
            csv.extend(export::line(&detail.contact, directory.fields())?);
        }
        Ok::<_, ApiError>(csv)
    });
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, export::CSV))
        .insert_header((CONTENT_DISPOSITION, export::FILE))
        .body(csv.await?))
}
