//! `POST /assets/{id}/delete`

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<AssetId>) -> Answer {
    sync::delete_asset(&caller.context(), id).await?;
    Ok(respond::done(&caller, "/assets", Notice::AssetDeleted))
}
