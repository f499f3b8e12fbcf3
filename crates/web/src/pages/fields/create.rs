//! `POST /fields`

use actix_web::HttpResponse;

use contact_hub_domain::fields::{self, FieldDraft};

use super::list::draw;
use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Result<HttpResponse, ApiError> {
    let draft = FieldDraft { name: form.given("name"), r#type: form.given("type") };
    match fields::create(&caller.context(), &draft).await {
        Ok(_field) => Ok(respond::done(&caller, "/fields", Notice::FieldCreated)),
        Err(error) => {
            let view = FormView::refused(&form, error)?;
            draw(&caller, view.status(), view).await
        }
    }
}
