//! Read the audit.

use contact_hub_domain::audit::{self, AuditQuery};

use super::json::AuditEntryJson;
use super::shapes::AUDIT_ENTRY;
use crate::endpoint::prelude::*;
use crate::envelope::CursorMeta;

pub(crate) fn endpoint() -> Endpoint {
    AUDIT
        .on(GET, "/audit", handle)
        .operation("listAudit", "Read the audit", Success::Log(AUDIT_ENTRY))
        .details("Who did what, the newest first. Entries are never changed.")
}

async fn handle(caller: Caller, Asked(query): Asked<AuditQuery>) -> Answer {
    let per_page = query.size;
    let page = audit::list(&caller.context(), query).await?;
    let data: Vec<_> = page.entries.iter().map(AuditEntryJson::from).collect();
    let next = page.next.map(|next| next.to_string());
    Ok(envelope::with_meta(&data, &CursorMeta { per_page, next }))
}
