//! Read everything that is stored about one person.

use contact_hub_domain::audit::{self, AuditQuery};
use contact_hub_domain::contacts::{self, MAX_KNOWN};
use contact_hub_domain::ids::ContactId;

use super::json::EverythingJson;
use super::shapes::EVERYTHING;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    PEOPLE
        .on(GET, "/contacts/{id}/everything", handle)
        .operation("readEverything", "Read all that is known of one person", Success::One(EVERYTHING))
        .details(
            "The contact, active or deleted, with its values, its entries of the change feed, the deliveries of events \
             that name it, and its entries of the audit; of each the latest 10,000. The call leaves the entry \
             `contact.exported` in the audit, and the document has it.",
        )
}

async fn handle(caller: Caller, PathId(id): PathId<ContactId>) -> Answer {
    let known = contacts::everything(&caller.context(), id).await?;
    audit::record_contact_export(&caller.context(), id, caller.now()).await?;
    let query = AuditQuery { object: Some(id.uuid()), size: MAX_KNOWN, ..AuditQuery::default() };
    let audit = audit::list(&caller.context(), query).await?;
    Ok(envelope::ok(&EverythingJson::of(&known, &audit.entries)))
}
