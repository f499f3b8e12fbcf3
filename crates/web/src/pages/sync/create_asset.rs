//! `GET` and `POST /assets/new`

use actix_web::HttpRequest;

use contact_hub_domain::sync::{self, AssetType};

use super::asset_form::{draft, draw};
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::{overview, respond};

pub(crate) async fn show(caller: PageCaller) -> Answer {
    let form = FormView::filled([("type", AssetType::Email.as_str())]);
    draw(&caller, form, None).await
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    let input = form.clone();
    let made = caller.work(form.weight(), |caller| async move {
        Ok(sync::create_asset(&caller.context(), &draft(&input)).await)
    });
    match made.await? {
        Ok(detail) => {
            let location = if overview::came_from_setup(&request) {
                "/".to_owned()
            } else {
                format!("/assets/{}", detail.asset.id)
            };
            Ok(respond::done(&caller, &location, Notice::AssetCreated))
        }
        Err(error) => draw(&caller, FormView::refused(&form, error)?, None).await,
    }
}
