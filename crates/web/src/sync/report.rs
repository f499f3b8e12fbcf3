//! Report the result of a sync.

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, ReportedSync, SyncState};

use super::json::{SyncJson, report_draft};
use super::shapes::{SYNC, SYNC_REPORT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    CUSTOM_PLATFORM
        .on(PATCH, "/sync-status/{id}", handle)
        .operation("reportSync", "Report the result of a sync", Success::One(SYNC))
        .details(
            "Of the sync that `sync_id` names, else of the asset's one open sync. The same \
             report again changes nothing.",
        )
        .reads(SYNC_REPORT)
        .fails(&[Code::SyncNotRequested, Code::SyncAmbiguous])
}

async fn handle(caller: Caller, PathId(id): PathId<AssetId>, body: Body<STANDARD_BODY>) -> Answer {
    let draft = report_draft(&body.object()?);
    let ReportedSync { sync, is_new } = sync::report(&caller.context(), id, &draft).await?;
    if let (SyncState::Failed { message, .. }, true) = (&sync.state, is_new) {
        // The platform's text may contain anything.
        let error_message = message.redacted();
        tracing::warn!(sync = %sync.id, asset = %id, error_message, "a sync failed");
    }
    Ok(envelope::ok(&SyncJson::from(&sync)))
}
