//! `POST /contacts/selected`: what to do with the contacts that are selected in the list.

use std::collections::BTreeSet;

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use askama::Template;

use contact_hub_domain::audit;
use contact_hub_domain::contacts::{self, DeletionDraft, LookupDraft, MAX_BULK_DELETE};
use contact_hub_domain::fields;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;

use super::{export, set_values};
use crate::error::{Answer, ApiError};
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::frame::{Frame, Section};
use crate::pages::notice::Notice;
use crate::pages::{respond, session};

/// What a page of contacts with usual values takes.
const WEIGHT: usize = 8 << 20;

#[derive(Template)]
#[template(path = "contacts/delete_selected.html")]
struct DeletePage {
    frame: Frame,
    selection: Selection,
}

/// The contacts that are selected, and the list in which they were.
pub(super) struct Selection {
    pub(super) ids: BTreeSet<ContactId>,
    pub(super) back: String,
}

impl Selection {
    /// Reads the form. Damaged ids are ignored, and so are ids beyond the limit of a bulk.
    pub(super) fn of(form: &Form) -> Self {
        let ids = form.all("ids").filter_map(ContactId::parse).take(MAX_BULK_DELETE).collect();
        Self { ids, back: list_of(form) }
    }

    /// The number, in words.
    pub(super) fn count(&self) -> String {
        match self.ids.len() {
            1 => "1 contact".to_owned(),
            count => format!("{count} contacts"),
        }
    }

    fn inputs<P: From<Input>>(&self) -> Property<Vec<P>> {
        self.ids.iter().map(|id| Input::Text(id.to_string()).into()).collect()
    }
}

/// The list from which a form was sent.
pub(super) fn list_of(form: &Form) -> String {
    let back = session::within(form.text("back"));
    let is_list = back == "/contacts" || back.starts_with("/contacts?");
    if is_list { back } else { "/contacts" }.to_owned()
}

/// Leads on to what was chosen.
pub(crate) async fn choose(caller: PageCaller, form: Form) -> Answer {
    let selection = Selection::of(&form);
    if selection.ids.is_empty() {
        return Ok(respond::done(&caller, &selection.back, Notice::NothingSelected));
    }
    match form.text("action") {
        "export" => exported(&caller, selection).await,
        "values" => set_values::fields(&caller, selection).await,
        _ => {
            let frame = caller.frame(Section::Contacts, &format!("Delete {}?", selection.count()));
            respond::page(&DeletePage { frame, selection })
        }
    }
}

/// Deletes the contacts, once the person has seen their number.
pub(crate) async fn delete(caller: PageCaller, form: Form) -> Answer {
    let selection = Selection::of(&form);
    if selection.ids.is_empty() {
        return Ok(respond::done(&caller, &selection.back, Notice::NothingSelected));
    }
    let draft = DeletionDraft { ids: selection.inputs() };
    let deleted = contacts::delete_many(&caller.context(), &draft).await?;
    let ids: Vec<ContactId> = selection.ids.into_iter().collect();
    let notice = Notice::ContactsDeleted;
    Ok(respond::done_with(&caller, &selection.back, notice, deleted, &ids))
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
