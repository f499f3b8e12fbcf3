//! `GET /assets/{id}/syncs`: how the syncs of an asset stand, as the part of its page that asks for itself again while one
//! is open.

use askama::Template;

use contact_hub_domain::access::Permission;
use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, IntegrationChoice};

use super::sync_row::SyncRow;
use crate::error::{Answer, ApiError};
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::listing::Listing;
use crate::pages::pager::Pager;
use crate::pages::respond;

/// The history of an asset's syncs.
#[derive(Template)]
#[template(path = "sync/state.html")]
pub(super) struct StatePart {
    rows: Vec<SyncRow>,
    pager: Pager,
    again: Option<String>,
    may_see_deliveries: bool,
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<AssetId>,
    list: Listing,
) -> Answer {
    let connections = sync::integration_choices(&caller.context()).await?;
    respond::page(&state_part(&caller, id, &list, &connections).await?)
}

/// The page of the history that is asked for.
pub(super) async fn state_part(
    caller: &PageCaller,
    id: AssetId,
    list: &Listing,
    connections: &[IntegrationChoice],
) -> Result<StatePart, ApiError> {
    let found = sync::list_syncs(&caller.context(), id, list.query).await?;
    let rows: Vec<SyncRow> =
        found.items.iter().map(|sync| SyncRow::new(sync, connections)).collect();
    let is_open = rows.iter().any(|row| row.is_open);
    Ok(StatePart {
        rows,
        pager: Pager::new(&format!("/assets/{id}"), &list.address, found.meta),
        again: is_open.then(|| list.address.href(&format!("/assets/{id}/syncs"))),
        may_see_deliveries: caller.may(Permission::ManageIntegrations),
    })
}
