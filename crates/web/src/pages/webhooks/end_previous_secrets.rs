//! `POST /admin/integrations/webhooks/{id}/previous-secrets`: ends them.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<WebhookId>) -> Answer {
    webhooks::end_previous_secrets(&caller.context(), id).await?;
    let location = format!("/admin/integrations/webhooks/{id}");
    Ok(respond::done(&caller, &location, Notice::SecretsEnded))
}
