//! `GET` and `POST /admin/company/sign-on/{id}`, and `POST …/delete`

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::OidcProviderId;

use super::provider_form::{draft, draw, filled};
use super::providers::{self, PATH};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

/// Asks again for a secret that was typed.
const SECRET_AGAIN: &str = "Enter the secret again, or leave it empty to keep the current one.";

pub(crate) async fn show(caller: PageCaller, PathId(id): PathId<OidcProviderId>) -> Answer {
    let provider = access::read_oidc_provider(&caller.context(), id).await?;
    draw(&caller, Some(&provider), filled(&provider)).await
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<OidcProviderId>,
    form: Form,
) -> Answer {
    let cx = caller.context();
    let before = access::read_oidc_provider(&cx, id).await?;
    let change = draft(&form.over(filled(&before).pairs()));
    match access::change_oidc_provider(&cx, id, &change).await {
        Ok(_provider) => Ok(respond::done(&caller, PATH, Notice::ProviderChanged)),
        Err(error) => {
            let view = FormView::refused(&form, error)?;
            draw(&caller, Some(&before), view.without_secret("client_secret", SECRET_AGAIN)).await
        }
    }
}

pub(crate) async fn delete(
    caller: PageCaller,
    PathId(id): PathId<OidcProviderId>,
    form: Form,
) -> Answer {
    match access::delete_oidc_provider(&caller.context(), id).await {
        Ok(()) => Ok(respond::done(&caller, PATH, Notice::ProviderDeleted)),
        Err(error @ AccessError::Invalid(_)) => {
            providers::draw(&caller, &FormView::refused(&form, error)?).await
        }
        Err(error) => Err(error.into()),
    }
}
