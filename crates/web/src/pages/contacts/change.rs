//! `GET` and `POST /contacts/{id}/edit`

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::contacts;
use contact_hub_domain::fields;
use contact_hub_domain::ids::ContactId;

use super::form::{Shown, draft, draw, filled};
use super::version::{expected, told};
use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(
    caller: PageCaller,
    PathId(id): PathId<ContactId>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    let detail = contacts::read(&cx, id).await?;
    let shown = Shown::of(&*fields::list(&cx).await?, id, request.query_string(), &detail)?;
    draw(&caller, StatusCode::OK, filled(&detail), shown)
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<ContactId>,
    request: HttpRequest,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    let directory = fields::list(&cx).await?;
    match contacts::change(&cx, id, &draft(&form, &directory), expected(&form)).await {
        Ok(_contact) => {
            let location = location(id, request.query_string());
            Ok(respond::done(&caller, &location, Notice::ContactChanged))
        }
        Err(error) => {
            let view = FormView::refused(&form, told(error))?;
            draw(&caller, view.status(), view, Shown::again(&directory, &form, Some(id)))
        }
    }
}

/// Whoever goes through the parts of the form stays where they are; otherwise the contact is shown.
fn location(id: ContactId, query: &str) -> String {
    let address = Address::of(query);
    if address.get("page[number]").is_empty() {
        format!("/contacts/{id}")
    } else {
        address.href(&format!("/contacts/{id}/edit"))
    }
}
