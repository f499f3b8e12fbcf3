//! `GET` and `POST /admin/integrations/platforms/new`

use actix_web::HttpRequest;

use contact_hub_domain::sync;

use super::integration_form::{draft, draw};
use crate::error::Answer;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::{overview, respond};

pub(crate) async fn show(caller: PageCaller, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    let form = FormView::filled([
        ("merge_tag_format", address.get("format")),
        ("asset_types", "email"),
        ("asset_types", "landing_page"),
    ]);
    draw(&caller, form, None).await
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    match sync::create_integration(&caller.context(), &draft(&form)).await {
        Ok(_integration) => {
            let from_setup = overview::came_from_setup(&request);
            let location = if from_setup { "/" } else { "/admin/integrations/platforms" };
            Ok(respond::done(&caller, location, Notice::Connected))
        }
        Err(error) => draw(&caller, FormView::refused(&form, error)?, None).await,
    }
}
