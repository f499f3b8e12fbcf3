//! `GET` and `POST /admin/company/sign-on/new`

use contact_hub_domain::access;

use super::provider_form::{draft, draw};
use super::providers::PATH;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(caller: PageCaller) -> Answer {
    draw(&caller, None, FormView::filled([("scopes", "email")])).await
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    match access::create_oidc_provider(&caller.context(), &draft(&form)).await {
        Ok(provider) => {
            let path = format!("{PATH}/{}", provider.id);
            Ok(respond::done(&caller, &path, Notice::ProviderCreated))
        }
        Err(error) => draw(&caller, None, FormView::refused(&form, error)?).await,
    }
}
