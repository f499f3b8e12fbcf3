//! `GET` and `POST /admin/integrations/webhooks/new`

use actix_web::HttpResponse;
use actix_web::http::StatusCode;

use contact_hub_domain::webhooks;

use super::form::{draft, draw, fresh};
use super::secret;
use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;

pub(crate) async fn show(caller: PageCaller) -> Result<HttpResponse, ApiError> {
    draw(&caller, StatusCode::OK, fresh(), None)
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Result<HttpResponse, ApiError> {
    match webhooks::create(&caller.context(), &draft(&form)).await {
        Ok(made) => secret::draw(&caller, "The webhook is created", &made),
        Err(error) => {
            let view = FormView::refused(&form, error)?.without("secret");
            draw(&caller, view.status(), view, None)
        }
    }
}
