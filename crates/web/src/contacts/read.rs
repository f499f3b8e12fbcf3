//! Read one contact with its values.

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use super::json::ContactDetailJson;
use super::shapes::CONTACT_DETAIL;
use crate::endpoint::prelude::*;
use crate::extract::tag;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(GET, "/contacts/{id}", handle)
        .operation(
            "readContact",
            "Read one contact with its values",
            Success::Versioned(CONTACT_DETAIL),
        )
        .details("The contact's attributes, with its values in the order of the fields' creation.")
}

async fn handle(caller: Caller, PathId(id): PathId<ContactId>, conditions: Conditions) -> Answer {
    let detail = contacts::read(&caller.context(), id).await?;
    Ok(envelope::versioned(&ContactDetailJson::from(&detail), tag(&detail), &conditions))
}
