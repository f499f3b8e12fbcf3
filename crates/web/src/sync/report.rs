//! Report the result of a sync.

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

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
    let sync = sync::report(&caller.context(), id, &draft).await?;
    if let Some(message) = sync.error_message() {
        let error = without_addresses(message);
        tracing::warn!(sync = %sync.id, asset = %id, error, "a sync failed");
    }
    Ok(envelope::ok(&SyncJson::from(&sync)))
}

/// The text of a platform for the log, which has no email addresses.
fn without_addresses(text: &str) -> String {
    let words = text.split(' ').map(|word| if word.contains('@') { "[…]" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::without_addresses;

    #[test]
    fn words_that_may_be_addresses_are_left_out() {
        for (text, logged) in [
            ("The list is  archived.", "The list is  archived."),
            ("<ann@example.com> and a@b: no", "[…] and […] no"),
            ("", ""),
        ] {
            assert_eq!(without_addresses(text), logged);
        }
    }
}
