//! `POST /admin/integrations/webhooks/{id}/delete`

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<WebhookId>) -> Answer {
    webhooks::delete(&caller.context(), id).await?;
    Ok(respond::done(&caller, "/admin/integrations/webhooks", Notice::WebhookDeleted))
}
