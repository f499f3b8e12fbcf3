//! `GET` and `POST /admin/integrations/webhooks/new`

use actix_web::HttpRequest;

use contact_hub_domain::webhooks;

use super::form::{draft, draw, fresh};
use super::secret;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::overview;

pub(crate) async fn show(caller: PageCaller) -> Answer {
    draw(&caller, fresh(), None)
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    match webhooks::create(&caller.context(), &draft(&form)).await {
        Ok(made) => {
            secret::draw(&caller, "Webhook created", &made, overview::came_from_setup(&request))
        }
        Err(error) => draw(
            &caller,
            FormView::refused(&form, error)?.without_secret("secret", secret::AGAIN),
            None,
        ),
    }
}
