//! `GET` and `POST /contacts/{id}/edit`

use actix_web::HttpResponse;
use actix_web::http::StatusCode;

use contact_hub_domain::contacts::{self, ContactsError, RowDraft};
use contact_hub_domain::fields;
use contact_hub_domain::given::GivenList;
use contact_hub_domain::ids::ContactId;

use super::form::{draft, draw, filled, with_email};
use crate::error::{ApiError, Code};
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(caller: PageCaller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = ContactId::parse(id.as_str()).ok_or(ContactsError::NotFound)?;
    let detail = contacts::read(&caller.context(), id).await?;
    draw(&caller, StatusCode::OK, filled(&detail), Some(id.to_string())).await
}

pub(crate) async fn handle(
    caller: PageCaller,
    id: PathId,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let id = ContactId::parse(id.as_str()).ok_or(ContactsError::NotFound)?;
    match save(&caller, id, &form).await {
        Ok(()) => Ok(respond::done(&caller, &format!("/contacts/{id}"), Notice::ContactChanged)),
        Err(error) => {
            let view = FormView::refused(&form, error)?;
            draw(&caller, view.status(), view, Some(id.to_string())).await
        }
    }
}

/// Writes the row of a contact that is still as the form showed it.
async fn save(caller: &PageCaller, id: ContactId, form: &Form) -> Result<(), ApiError> {
    let cx = caller.context();
    let now = contacts::read(&cx, id).await?.contact;
    if form.text("version") != now.updated_at.micros().to_string() {
        let message = "The contact was changed by someone else since this page was opened. Open it again to see how it is now.";
        return Err(ApiError::new(Code::ContactAlreadyExists, message));
    }
    let draft = with_email(draft(form, &*fields::list(&cx).await?), now.email.as_str());
    let rows = GivenList::Items(vec![RowDraft::Contact(Box::new(draft))]);
    let result = contacts::upsert_many(&cx, &rows).await?;
    match result.failed.into_iter().next() {
        Some(row) => Err(ApiError::Validation(row.violations)),
        None => Ok(()),
    }
}
