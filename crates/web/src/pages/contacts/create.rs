//! `GET` and `POST /contacts/new`

use actix_web::HttpResponse;
use actix_web::http::StatusCode;

use contact_hub_domain::{contacts, fields};

use super::form::{Shown, draft, draw};
use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(caller: PageCaller) -> Result<HttpResponse, ApiError> {
    let directory = fields::list(&caller.context()).await?;
    draw(&caller, StatusCode::OK, FormView::default(), Shown::first(&directory))
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    let directory = fields::list(&cx).await?;
    match contacts::create(&cx, &draft(&form, &directory)).await {
        Ok(contact) => {
            // A restored contact keeps the moment at which it was first created.
            let is_new = contact.created_at == contact.updated_at;
            let notice = if is_new { Notice::ContactCreated } else { Notice::ContactRestored };
            Ok(respond::done(&caller, &format!("/contacts/{}", contact.id), notice))
        }
        Err(error) => {
            let view = FormView::refused(&form, error)?;
            draw(&caller, view.status(), view, Shown::again(&directory, &form, None))
        }
    }
}
