//! `GET /assets/{id}/syncs`: how the syncs of an asset stand, as the part of its page that asks for itself again while one
//! is open.

use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

use contact_hub_domain::access::Permission;
use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, Integration};

use super::connections::connections;
use super::sync_row::SyncRow;
use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
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
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let connections = connections(&caller).await?;
    respond::page(&state_part(&caller, id, request.query_string(), &connections).await?)
}

/// The page of the history that the query asks for.
pub(super) async fn state_part(
    caller: &PageCaller,
    id: AssetId,
    query: &str,
    connections: &[Integration],
) -> Result<StatePart, ApiError> {
    let found = sync::list_syncs(&caller.context(), id, query).await?;
    let rows: Vec<SyncRow> =
        found.items.iter().map(|sync| SyncRow::new(sync, connections)).collect();
    let address = Address::of(query);
    let is_open = rows.iter().any(|row| row.is_open);
    Ok(StatePart {
        rows,
        pager: Pager::new(&format!("/assets/{id}"), &address, found.meta),
        again: is_open.then(|| address.href(&format!("/assets/{id}/syncs"))),
        may_see_deliveries: caller.may(Permission::ManageIntegrations),
    })
}
