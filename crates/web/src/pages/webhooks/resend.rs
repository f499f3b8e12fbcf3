//! `POST /admin/integrations/webhooks/deliveries/{id}/resend`

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<DeliveryId>) -> Answer {
    webhooks::resend(&caller.context(), id).await?;
    let location = format!("/admin/integrations/webhooks/deliveries/{id}");
    Ok(respond::done(&caller, &location, Notice::Resent))
}
