//! `GET` and `POST /contacts/{id}/edit`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::contacts::{self, ChangeDraft, ChangedValues, ContactsError};
use contact_hub_domain::fields;
use contact_hub_domain::ids::ContactId;

use super::conflict::conflict;
use super::form::{Shown, draft, draw, filled};
use super::refused::refused;
use super::version::expected;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(
    caller: PageCaller,
    PathId(id): PathId<ContactId>,
    request: HttpRequest,
) -> Answer {
    let cx = caller.context();
    let detail = contacts::read(&cx, id).await?;
    let shown = Shown::of(&*fields::list(&cx).await?, id, request.query_string(), &detail)?;
    draw(&caller, filled(&detail), Some(&detail.contact), shown)
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<ContactId>,
    request: HttpRequest,
    form: Form,
) -> Answer {
    let cx = caller.context();
    let directory = fields::list(&cx).await?;
    let draft = ChangeDraft::from(draft(&form, &directory));
    let values = ChangedValues::OfForm;
    match contacts::change(&cx, id, &draft, values, expected(&form)).await {
        Ok(_changed) => Ok(changed(&caller, id, request.query_string())),
        Err(ContactsError::Stale) => {
            let detail = contacts::read(&cx, id).await?;
            let Some((view, sides)) = conflict(&form, &filled(&detail), &directory)? else {
                return Ok(changed(&caller, id, request.query_string()));
            };
            let shown = Shown::again(&directory, &form, Some(id)).contested(sides);
            draw(&caller, view, Some(&detail.contact), shown)
        }
        Err(error) => {
            let view = refused(&caller, &form, error).await?;
            let detail = contacts::read(&cx, id).await?;
            let shown = Shown::again(&directory, &form, Some(id));
            draw(&caller, view, Some(&detail.contact), shown)
        }
    }
}

/// Redirects to the same part of the form if it has several, otherwise to the contact.
fn changed(caller: &PageCaller, id: ContactId, query: &str) -> HttpResponse {
    let address = Address::of(query);
    let location = if address.get("page[number]").is_empty() {
        format!("/contacts/{id}")
    } else {
        address.href(&format!("/contacts/{id}/edit"))
    };
    respond::done(caller, &location, Notice::ContactChanged)
}
