//! `POST /admin/integrations/webhooks/{id}/recover`

use actix_web::HttpResponse;

use contact_hub_domain::given::Given;
use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{self, RecoveryDraft, WebhooksError};

use super::read;
use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(
    caller: PageCaller,
    id: PathId,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let id = WebhookId::parse(id.as_str()).ok_or(WebhooksError::WebhookNotFound)?;
    let webhook_id = Given::Text(id.to_string());
    let draft = RecoveryDraft { webhook_id, since: form.given("since") };
    match webhooks::recover(&caller.context(), &draft).await {
        Ok(recovered) => {
            let notice = if recovered > 0 { Notice::Recovered } else { Notice::NothingToRecover };
            let location = format!("/admin/integrations/webhooks/{id}");
            Ok(respond::done(&caller, &location, notice))
        }
        Err(error) => {
            let view = FormView::refused(&form, error)?;
            read::draw(&caller, view.status(), id, view).await
        }
    }
}
