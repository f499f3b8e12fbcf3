//! The history of an asset's syncs, a part of its page.

use askama::Template;

use contact_hub_domain::access::Permission;
use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, IntegrationChoice};

use super::sync_row::SyncRow;
use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::listing::Listing;
use crate::pages::pager::Pager;

/// The history of an asset's syncs.
#[derive(Template)]
#[template(path = "sync/state.html")]
pub(super) struct StatePart {
    rows: Vec<SyncRow>,
    pager: Pager,
    may_see_deliveries: bool,
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
    Ok(StatePart {
        rows,
        pager: Pager::new(&format!("/assets/{id}"), &list.address, found.meta),
        may_see_deliveries: caller.may(Permission::ManageIntegrations),
    })
}
