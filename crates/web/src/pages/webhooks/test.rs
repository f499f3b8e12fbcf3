//! `POST /admin/integrations/webhooks/{id}/test`: sends a test event, and shows what the receiver answered.

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<WebhookId>) -> Answer {
    let sent = webhooks::test(&caller.context(), id).await?;
    Ok(respond::see(&format!("/admin/integrations/webhooks/deliveries/{}", sent.delivery.id)))
}
