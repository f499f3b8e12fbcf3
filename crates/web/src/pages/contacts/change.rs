//! `GET` and `POST /contacts/{id}/edit`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::contacts::{self, ChangedValues, ContactsError, ExpectedVersion};
use contact_hub_domain::fields;
use contact_hub_domain::ids::ContactId;

use super::conflict::conflict;
use super::form::{Shown, change, draw, filled};
use super::refused::refused;
use super::version::expected;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::notice::Notice;
use crate::pages::respond;

/// How often a change is tried again after others changed fields that this one does not.
const ATTEMPTS: u32 = 5;

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
    let (draft, values) = (change(&form, &directory), ChangedValues::OfForm);
    let mut outcome = contacts::change(&cx, id, &draft, values, expected(&form)).await;
    for _ in 0..ATTEMPTS {
        let Err(ContactsError::Stale) = outcome else { break };
        let detail = contacts::read(&cx, id).await?;
        if let Some((view, sides)) = conflict(&form, &filled(&detail), &directory)? {
            let shown = Shown::again(&directory, &form, Some(id)).contested(sides);
            return draw(&caller, view, Some(&detail.contact), shown);
        }
        let current = ExpectedVersion::OneOf(vec![detail.contact.updated_at]);
        outcome = contacts::change(&cx, id, &draft, values, current).await;
    }
    match outcome {
        Ok(_changed) => Ok(changed(&caller, id, request.query_string())),
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
