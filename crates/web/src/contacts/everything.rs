//! Read all that is known of one person.

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use super::json::EverythingJson;
use super::shapes::EVERYTHING;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    PEOPLE
        .on(GET, "/contacts/{id}/everything", handle)
        .operation("readEverything", "Read all that is known of one person", Success::One(EVERYTHING))
        .details(
            "The contact, active or deleted, with its values, its entries of the change feed and the deliveries of \
             events that name it; of each the latest 10,000.",
        )
}

async fn handle(caller: Caller, PathId(id): PathId<ContactId>) -> Answer {
    let known = contacts::everything(&caller.context(), id).await?;
    Ok(envelope::ok(&EverythingJson::from(&known)))
}
