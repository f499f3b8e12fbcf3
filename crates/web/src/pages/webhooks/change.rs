//! `GET` and `POST /admin/integrations/webhooks/{id}/edit`

use actix_web::HttpResponse;
use actix_web::http::StatusCode;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use super::form::{change, draw, filled};
use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(
    caller: PageCaller,
    PathId(id): PathId<WebhookId>,
) -> Result<HttpResponse, ApiError> {
    let webhook = webhooks::read(&caller.context(), id).await?;
    draw(&caller, StatusCode::OK, filled(&webhook), Some(id.to_string()))
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<WebhookId>,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    let before = webhooks::read(&cx, id).await?;
    match webhooks::change(&cx, id, &change(&form, &before)).await {
        Ok(_changed) => {
            let location = format!("/admin/integrations/webhooks/{id}");
            Ok(respond::done(&caller, &location, Notice::WebhookChanged))
        }
        Err(error) => {
            let view = FormView::refused(&form, error)?;
            draw(&caller, view.status(), view, Some(id.to_string()))
        }
    }
}
