//! `GET` and `POST /contacts/new`

use actix_web::HttpResponse;
use actix_web::http::StatusCode;

use contact_hub_domain::contacts::CreatedContact;
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
        Ok(created) => {
            let notice = match created {
                CreatedContact::Created(_) => Notice::ContactCreated,
                CreatedContact::Restored(_) => Notice::ContactRestored,
            };
            let path = format!("/contacts/{}", created.contact().id);
            Ok(respond::done(&caller, &path, notice))
        }
        Err(error) => {
            let view = FormView::refused(&form, error)?;
            draw(&caller, view.status(), view, Shown::again(&directory, &form, None))
        }
    }
}
