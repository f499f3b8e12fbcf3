//! Request a sync.

use contact_hub_domain::access::Permission;
use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, SyncDraft};

use super::json::SyncJson;
use super::shapes::{SYNC, SYNC_INPUT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    ASSETS
        .on(POST, "/assets/{id}/syncs", handle)
        .needs(Permission::Publish)
        .operation("requestSync", "Request a sync", Success::Accepted(SYNC))
        .details(
            "Every enabled webhook that subscribes to syncRequested gets the event. An open sync of \
             the asset to the same integration is superseded: its status is then `failed`.",
        )
        .reads(SYNC_INPUT)
        .fails(&[
            Code::IntegrationNotFound,
            Code::AssetTypeNotSupported,
            Code::WebhookNotConfigured,
        ])
}

async fn handle(caller: Caller, PathId(id): PathId<AssetId>, body: Body<STANDARD_BODY>) -> Answer {
    let draft = SyncDraft { integration_id: body.object()?.input("integration_id") };
    let sync = sync::request(&caller.context(), id, &draft).await?;
    Ok(envelope::accepted(&SyncJson::from(&sync)))
}
