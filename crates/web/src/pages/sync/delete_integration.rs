//! `POST /admin/integrations/platforms/{id}/delete`

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<IntegrationId>) -> Answer {
    sync::delete_integration(&caller.context(), id).await?;
    Ok(respond::done(&caller, "/admin/integrations/platforms", Notice::Disconnected))
}
