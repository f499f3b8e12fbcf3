//! `GET /contacts/deleted`: the contacts that were deleted, and `POST /contacts/deleted/restore`.

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::contacts::{self, ContactsError, DELETED_PAGE, DeletedContact};
use contact_hub_domain::ids::ContactId;

use super::selection::list_of;
use crate::error::{Answer, ApiError, Code};
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::shortened;
use crate::pages::form::Form;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::notice::{Notice, undone};
use crate::pages::respond;

const PATH: &str = "/contacts/deleted";

/// How many characters of a name a row shows.
const LONG_NAME: usize = 60;

#[derive(Template)]
#[template(path = "contacts/deleted.html")]
struct DeletedPage {
    frame: Frame,
    rows: Vec<Row>,
    /// The contacts that were deleted before these.
    older: Option<String>,
    is_first: bool,
}

struct Row {
    id: String,
    email: String,
    name: String,
    deleted_at: Moment,
}

impl From<&DeletedContact> for Row {
    fn from(contact: &DeletedContact) -> Self {
        let name = format!("{} {}", contact.first_name.as_str(), contact.last_name.as_str());
        Self {
            id: contact.id.to_string(),
            email: contact.email.as_str().to_owned(),
            name: shortened(&name, LONG_NAME),
            deleted_at: contact.deleted_at.into(),
        }
    }
}

pub(crate) async fn list(caller: PageCaller, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    let after = ContactId::parse(address.get("after"));
    let found = contacts::list_deleted(&caller.context(), after).await?;
    let is_full = u32::try_from(found.len()).is_ok_and(|rows| rows >= DELETED_PAGE);
    let last = found.last().filter(|_| is_full);
    let older = last.map(|it| Address::default().with("after", &it.id.to_string()).href(PATH));
    respond::page(&DeletedPage {
        frame: caller.frame(Section::Contacts, "Deleted contacts"),
        rows: found.iter().map(Row::from).collect(),
        older,
        is_first: after.is_none(),
    })
}

/// Restores the contacts of a notice, or one of the list.
pub(crate) async fn restore(caller: PageCaller, form: Form) -> Answer {
    let mut ids = undone(form.text("undo"));
    ids.extend(form.all("ids").filter_map(ContactId::parse));
    let restored = contacts::restore(&caller.context(), ids).await.map_err(not_restored)?;
    let location = if form.is_ticked("undo") { list_of(&form) } else { PATH.to_owned() };
    Ok(respond::done_with(&caller, &location, Notice::ContactsRestored, restored, &[]))
}

fn not_restored(error: ContactsError) -> ApiError {
    match error {
        ContactsError::NotFound => {
            let message = "Nothing is left to restore: it was restored or erased in the meantime.";
            ApiError::new(Code::ContactNotFound, message)
        }
        error => error.into(),
    }
}
